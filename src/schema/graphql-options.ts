/** The options of `graphql` in the schema. */
import type { Located } from './located.ts';
import { mapSchema, option, type OptionValues, readOptions } from './option.ts';
import { locationOf, readFields, readingOf, reportType } from './reader.ts';
import { choice, count, type Shape } from './shape.ts';

export const graphqlOptions = {
  introspection: option(
    choice(['development', 'always']),
    'When clients may ask for the schema: only during `development` (default), or `always`.',
  ),
  trusted: option(
    choice(['only', 'preferred']),
    'Whether servers in production run only [trusted documents](graphql.md#trusted-documents) (`only`), or others, too (`preferred`, default).',
  ),
  defaultLimit: option(count, 'The number of entries of a list without `pagination`. By default 10.'),
  maxLimit: option(count, 'The largest page. Larger ones are reduced to it. By default `maxPageSize` of `api`.'),
  depthLimit: option(count, 'The maximum nesting of fields in a document. By default 15.'),
};

/** Turns GraphQL on or off, or configures it. */
export const graphqlSetting: Shape<Located<boolean | OptionValues<typeof graphqlOptions>>> = {
  read(reader, fields, key) {
    const reading = readingOf(fields, key);
    if (reading === undefined) return undefined;
    const { node } = reading;
    const location = locationOf(reader, reading);
    if (node.kind === 'scalar' && typeof node.value === 'boolean') return { value: node.value, location };
    if (node.kind !== 'map') return reportType(reader, reading, '`true`, `false` or a map');
    const own = readFields(reader, reading, Object.keys(graphqlOptions));
    const value = own && readOptions(reader, own, graphqlOptions);
    return value && { value, location };
  },
  written: '`true`, `false` or map',
  jsonSchema: { anyOf: [{ type: 'boolean' }, mapSchema(graphqlOptions)] },
};
