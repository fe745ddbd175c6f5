/** The options of `graphql` in the schema. */
import { option } from './option.ts';
import { choice, count } from './shape.ts';
import { switchedOptions } from './switched-options.ts';

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
export const graphqlSetting = switchedOptions(graphqlOptions);
