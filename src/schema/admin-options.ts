/** The options of `admin` in the schema and in a content type. */
import type { Located } from './located.ts';
import { mapSchema, option, type OptionValues, readOptions } from './option.ts';
import { locationOf, type Reader, readFields, type Reading, readingOf, reportType } from './reader.ts';
import { type Shape, text, textList } from './shape.ts';

export const adminOptions = {
  previewUrl: option(
    text,
    'URL of the preview of an entry. `{type}`, `{id}`, `{locale}`, names of attributes, and with `api.format` also `{documentId}`, are replaced: `https://example.org/preview/{slug}`.',
  ),
};

export const adminViewOptions = {
  mainField: option(
    text,
    'The attribute that serves as the title of an entry. By default `title`, `name`, `displayName`, `label`, `username`, `headline` or `slug` if there is one, or else the first short text.',
  ),
  columns: option(
    textList,
    'The columns of the list: attributes, `id`, `createdAt`, `updatedAt` or `publishedAt`. By default the main field and a few others.',
  ),
  group: option(text, 'Types with the same group are shown together in the menu.'),
};

function readMap<Table extends typeof adminOptions | typeof adminViewOptions>(
  reader: Reader,
  reading: Reading,
  table: Table,
): OptionValues<Table> | undefined {
  const fields = readFields(reader, reading, Object.keys(table));
  return fields && readOptions(reader, fields, table);
}

/** Turns the admin panel on or off, or configures it. */
export const adminSetting: Shape<Located<boolean | OptionValues<typeof adminOptions>>> = {
  read(reader, fields, key) {
    const reading = readingOf(fields, key);
    if (reading === undefined) return undefined;
    const { node } = reading;
    const location = locationOf(reader, reading);
    if (node.kind === 'scalar' && typeof node.value === 'boolean') return { value: node.value, location };
    if (node.kind !== 'map') return reportType(reader, reading, '`true`, `false` or a map');
    const value = readMap(reader, reading, adminOptions);
    return value && { value, location };
  },
  written: '`true`, `false` or map',
  jsonSchema: { anyOf: [{ type: 'boolean' }, mapSchema(adminOptions)] },
};

/** How the admin panel shows the entries of a type. */
export const adminView: Shape<OptionValues<typeof adminViewOptions>> = {
  read(reader, fields, key) {
    const reading = readingOf(fields, key);
    return reading && readMap(reader, reading, adminViewOptions);
  },
  written: 'map',
  jsonSchema: mapSchema(adminViewOptions),
};
