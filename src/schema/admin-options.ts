/** `admin`: of a whole schema, and of a content type. */
import type { Located } from './located.ts';
import { mapSchema, option, type OptionValues, readOptions } from './option.ts';
import { type Fields, locationOf, type Reader, readFields, type Reading, reportType } from './reader.ts';
import { type Shape, text, textList } from './shape.ts';

export const adminOptions = {
  previewUrl: option(
    text,
    'Where editors look at an entry: a URL with `{type}`, `{id}`, `{documentId}`, `{locale}` and names of attributes, such as `https://example.org/preview/{slug}`.',
  ),
};

export const adminViewOptions = {
  mainField: option(
    text,
    'The attribute by which people tell entries apart. By default the first that is a short text.',
  ),
  columns: option(
    textList,
    'What lists show: attributes, `id`, `createdAt`, `updatedAt` or `publishedAt`. By default the main field and some more.',
  ),
  group: option(text, 'Types of one group are shown together.'),
};

function readingOf(fields: Fields, key: string): Reading | undefined {
  const entry = fields.get(key);
  return entry && { node: entry.value, location: entry.location, what: `\`${key}\`` };
}

function readMap<Table extends typeof adminOptions | typeof adminViewOptions>(
  reader: Reader,
  reading: Reading,
  table: Table,
): OptionValues<Table> | undefined {
  const fields = readFields(reader, reading, Object.keys(table));
  return fields && readOptions(reader, fields, table);
}

/** Whether there is a page for editors, and what is to be said of all of it. */
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

/** How people see the entries of a type. */
export const adminView: Shape<OptionValues<typeof adminViewOptions>> = {
  read(reader, fields, key) {
    const reading = readingOf(fields, key);
    return reading && readMap(reader, reading, adminViewOptions);
  },
  written: 'map',
  jsonSchema: mapSchema(adminViewOptions),
};
