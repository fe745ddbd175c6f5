import { castText } from '../values/cast-text.ts';
import type { AttributeType, TextOption } from './attribute-type.ts';
import { readText } from './read-default.ts';

/** Text with markup, stored unchanged: clients must sanitize it before they show it. */
export const richtext: AttributeType<string, TextOption> = {
  options: ['minLength', 'maxLength', 'regex'],
  columnType: 'text',
  input: 'markdown',
  isLong: true,
  canBeUnique: true,
  operators: 'text',
  cast: castText,
  readDefault: readText(),
  typescript: { output: 'string' },
  jsonSchema: { output: { type: 'string' } },
  sample: '**A** *text*',
};
