import { castText } from '../values/cast-text.ts';
import { isUid } from '../values/formats.ts';
import { randomSuffix, randomWords } from '../values/random.ts';
import { type AttributeType, MAX_SHORT_LENGTH, type TextOption } from './attribute-type.ts';
import { readText } from './read-default.ts';

function formatProblem(value: string): string | undefined {
  return isUid(value) ? undefined : 'must consist of letters A to Z, digits and the characters - _ . ~';
}

/** Text for use in URLs. Always has a unique index. The server generates a missing required value. */
export const uid: AttributeType<string, TextOption | 'targetField'> = {
  options: ['minLength', 'maxLength', 'regex', 'targetField'],
  columnType: 'text',
  input: 'slug',
  isShort: true,
  canBeUnique: true,
  maxLength: MAX_SHORT_LENGTH,
  operators: 'text',
  cast: castText,
  formatProblem,
  readDefault: readText({ problem: formatProblem, expected: 'letters A to Z, digits and - _ . ~ only' }),
  typescript: { output: 'string' },
  jsonSchema: { output: { type: 'string' } },
  sample: 'a-title',
  random: (random) => `${randomWords(random, 2).replace(' ', '-')}-${randomSuffix(random)}`,
};
