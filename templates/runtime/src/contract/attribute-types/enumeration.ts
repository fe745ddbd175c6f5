import { castText } from '../values/cast-text.ts';
import type { AttributeType } from './attribute-type.ts';

/** The values of an enumeration for a message. Those whose blanks or control characters would not be seen are escaped. */
export function enumText(values: readonly string[]): string {
  return values.map((value) => (/^\s|\s$|\p{Cc}/u.test(value) ? JSON.stringify(value) : value)).join(', ');
}

/** One of the values that the attribute lists. */
export const enumeration: AttributeType<string, 'enum' | 'enumFrom' | 'enumLabels'> = {
  options: ['enum', 'enumFrom', 'enumLabels'],
  columnType: 'text',
  input: 'select',
  isShort: true,
  canBeUnique: true,
  operators: 'text',
  cast: castText,
  readDefault({ value }, { enum: values = [] }) {
    return typeof value === 'string' && values.includes(value) ? { value } : { expected: `one of ${enumText(values)}` };
  },
  typescript: { output: 'string' },
  jsonSchema: { output: { type: 'string' } },
  sample: 'one',
};
