import { castBoolean } from '../values/cast-boolean.ts';
import type { AttributeType } from './attribute-type.ts';

/** True or false. */
export const boolean: AttributeType<boolean, never> = {
  options: [],
  columnType: 'boolean',
  input: 'switch',
  canBeUnique: true,
  operators: 'compared',
  cast: castBoolean,
  readDefault: ({ value }) =>
    typeof value === 'boolean' ? { value } : { expected: '`true` or `false`, without quotes' },
  typescript: { output: 'boolean' },
  jsonSchema: { output: { type: 'boolean' } },
  sample: true,
};
