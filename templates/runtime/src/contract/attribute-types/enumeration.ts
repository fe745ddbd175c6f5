import { castText } from '../values/cast-text.ts';
import type { AttributeType } from './attribute-type.ts';

/** One of the values that the attribute lists. */
export const enumeration: AttributeType<string, 'enum' | 'enumFrom'> = {
  options: ['enum', 'enumFrom'],
  columnType: 'text',
  isShort: true,
  canBeUnique: true,
  operators: 'text',
  cast: castText,
  readDefault({ value }, { enum: values = [] }) {
    return typeof value === 'string' && values.includes(value)
      ? { value }
      : { expected: `one of ${values.join(', ')}` };
  },
  typescript: { output: 'string' },
  jsonSchema: { output: { type: 'string' } },
  sample: 'one',
};
