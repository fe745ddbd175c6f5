/** `views` of `admin` of a type: what its list can be narrowed to at once, by name. */
import { LIST_STATES } from '#contract/panel-view.ts';
import type { Located } from './located.ts';
import { mapSchema, option, type OptionValues, readOptions } from './option.ts';
import { panelText } from './panel-text.ts';
import { readEntries, readFields, readingOf } from './reader.ts';
import { choice, type Shape, text, textList } from './shape.ts';
import { readWrittenJson, type WrittenJson } from './written-json.ts';

/** Conditions on entries, which the content model checks. */
const filters: Shape<WrittenJson> = {
  read(reader, fields, key) {
    const reading = readingOf(fields, key);
    return reading && readWrittenJson(reader, reading);
  },
  written: 'map of conditions',
  jsonSchema: { type: 'object', minProperties: 1 },
};

export const viewOptions = {
  displayName: option(panelText, 'The name that people see: `{ en: To review, de: Zu prüfen }`. By default its key.'),
  filters: option(
    filters,
    'Which entries it has, as in the [`filters`](queries.md) of a request: `{ status: in_review }`. `$user` is who looks, and `$now` the current time. By default all.',
  ),
  state: option(choice(LIST_STATES), 'The state of its entries, of types with `draftAndPublish`. By default any.'),
  sort: option(text, 'The column it is sorted by at first, where `-` means descending: `-updatedAt`.'),
  columns: option(textList, 'Its columns. By default those of the list.'),
  roles: option(textList, 'The roles that see it: `[editor]`. By default all.'),
};

export type WrittenView = OptionValues<typeof viewOptions> & { readonly name: Located<string> };

export const views: Shape<readonly WrittenView[]> = {
  read(reader, fields, key) {
    const reading = readingOf(fields, key);
    if (reading === undefined) return undefined;
    const example = 'for example views: { review: { filters: { status: in_review } } }';
    return readEntries(reader, reading, example)?.flatMap(({ key: name, location, value }) => {
      const given = { node: value, location, what: `the view \`${name}\`` };
      const own = readFields(reader, given, Object.keys(viewOptions), { example });
      return own ? [{ name: { value: name, location }, ...readOptions(reader, own, viewOptions) }] : [];
    });
  },
  written: 'map of views by name',
  jsonSchema: { type: 'object', additionalProperties: mapSchema(viewOptions) },
};
