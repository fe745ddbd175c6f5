import { castText } from '../values/cast-text.ts';
import type { AttributeType, TextOption } from './attribute-type.ts';
import { readText } from './read-default.ts';

/** Text of several lines. */
export const text: AttributeType<string, TextOption> = {
  options: ['minLength', 'maxLength', 'regex'],
  columnType: 'text',
  input: 'textarea',
  isLong: true,
  canBeUnique: true,
  operators: 'text',
  cast: castText,
  readDefault: readText(),
  typescript: { output: 'string' },
  jsonSchema: { output: { type: 'string' } },
  sample: 'A first line,\nand a second one.',
};
