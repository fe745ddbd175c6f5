import { castText } from '../values/cast-text.ts';
import type { AttributeType, TextOption } from './attribute-type.ts';

/** In characters. Bounds the cost of hashing. */
export const MAX_PASSWORD_LENGTH = 1024;

/** A password, still as it was typed: it must be hashed before it is stored. It has no default: what everybody knows protects nothing. */
export const password: AttributeType<string, TextOption> = {
  options: ['minLength', 'maxLength', 'regex'],
  columnType: 'text',
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
