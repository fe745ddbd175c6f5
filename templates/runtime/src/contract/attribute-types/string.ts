import { castText } from '../values/cast-text.ts';
import type { AttributeType, TextOption } from './attribute-type.ts';
import { readText } from './read-default.ts';

/** A line of text. */
export const string: AttributeType<string, TextOption> = {
  options: ['minLength', 'maxLength', 'regex'],
  columnType: 'text',
  input: 'text',
  canBeUnique: true,
  operators: 'text',
  cast: castText,
  readDefault: readText(),
  typescript: { output: 'string' },
  jsonSchema: { output: { type: 'string' } },
  sample: 'A title',
};
