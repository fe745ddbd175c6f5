import { castText } from '../values/cast-text.ts';
import type { AttributeType, TextOption } from './attribute-type.ts';

/** In characters. Bounds the cost of hashing. */
export const MAX_PASSWORD_LENGTH = 1024;

/** A password in plain text, which must be hashed before it is stored. Can't have a default, which would be public knowledge. */
export const password: AttributeType<string, TextOption> = {
  options: ['minLength', 'maxLength', 'regex'],
  columnType: 'text',
  input: 'password',
  isShort: true,
  isSecret: true,
  canBeUnique: false,
  maxLength: MAX_PASSWORD_LENGTH,
  operators: 'compared',
  cast: castText,
  typescript: { output: 'string' },
  jsonSchema: { output: { type: 'string', format: 'password' } },
  sample: 'correct horse battery staple',
};
