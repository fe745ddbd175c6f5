import { castText } from '../values/cast-text.ts';
import type { AttributeType, TextOption } from './attribute-type.ts';
import { readText } from './read-default.ts';

/** Text with markup. It is stored as it came: who shows it must escape it. */
export const richtext: AttributeType<string, TextOption> = {
  options: ['minLength', 'maxLength', 'regex'],
  columnType: 'text',
  isLong: true,
  canBeUnique: true,
  operators: 'text',
  cast: castText,
  readDefault: readText(),
  typescript: { output: 'string' },
  jsonSchema: { output: { type: 'string' } },
  sample: '**A** *text*',
};
