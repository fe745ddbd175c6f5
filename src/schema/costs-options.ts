/** The options of `costs` in the schema. */
import type { JsonSchema } from '#contract/routes/json-schema.ts';
import type { Located } from './located.ts';
import { option } from './option.ts';
import { countField } from './read-field.ts';
import { readEntries, readingOf } from './reader.ts';
import { count, type Shape } from './shape.ts';
import { switchedOptions } from './switched-options.ts';

/** A number for each name. */
export type CountMap = readonly { readonly name: Located<string>; readonly value: Located<number> }[];

const countMapSchema: JsonSchema = { type: 'object', additionalProperties: count.jsonSchema };

const countMap: Shape<CountMap> = {
  read(reader, fields, key) {
    const reading = readingOf(fields, key);
    return (
      reading &&
      readEntries(reader, reading)?.flatMap((entry) => {
        const value = countField(reader, new Map([[entry.key, entry]]), entry.key);
        return value === undefined ? [] : [{ name: { value: entry.key, location: entry.location }, value }];
      })
    );
  },
  written: 'map of whole numbers',
  jsonSchema: countMapSchema,
};

export const costsOptions = {
  budget: option(
    count,
    'What each user, each API token, and each address without credentials may spend per minute. 0 is without limit, as by default.',
  ),
  roles: option(countMap, 'The budgets of roles, where they differ: `{ editor: 500000 }`, per user.'),
  tokens: option(
    countMap,
    'The budgets of API tokens by their names, where they differ: `{ importer: 0 }`. Tokens that users have created spend the budget of their user.',
  ),
  rows: option(count, 'How many rows each table is taken to have. By default 10000.'),
};

/** Counts costs, or configures it. */
export const costsSetting = switchedOptions(costsOptions, { example: 'for example { budget: 50000 }' });
