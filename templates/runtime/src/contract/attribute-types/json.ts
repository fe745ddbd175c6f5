import { castJson } from '../values/json.ts';
import type { AttributeType } from './attribute-type.ts';

/** Any JSON value. A JSON null is the same as no value. */
export const json: AttributeType<unknown, never> = {
  options: [],
  columnType: 'json',
  input: 'json',
  canBeUnique: false,
  operators: 'presence',
  cast: castJson,
  readDefault: ({ value }) => ({ value }),
  typescript: { output: 'unknown' },
  jsonSchema: { output: {} },
  sample: { list: [1, 2.5, null, true] },
};
