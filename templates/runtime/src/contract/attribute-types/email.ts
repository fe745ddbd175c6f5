import { castText } from '../values/cast-text.ts';
import { isEmail } from '../values/formats.ts';
import { randomSuffix, randomWords } from '../values/random.ts';
import type { AttributeType, TextOption } from './attribute-type.ts';
import { readText } from './read-default.ts';

function formatProblem(value: string): string | undefined {
  return isEmail(value) ? undefined : 'must be a valid email';
}

/** An address that mail can be sent to. */
export const email: AttributeType<string, TextOption> = {
  options: ['minLength', 'maxLength', 'regex'],
  columnType: 'text',
  input: 'email',
  isShort: true,
  canBeUnique: true,
  operators: 'text',
  cast: castText,
  formatProblem,
  readDefault: readText({ problem: formatProblem, expected: 'an e-mail address' }),
  typescript: { output: 'string' },
  jsonSchema: { output: { type: 'string', format: 'email' } },
  sample: 'name@example.org',
  random: (random) => `${randomWords(random, 1)}.${randomSuffix(random)}@example.org`,
};
