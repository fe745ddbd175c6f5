/**
 * Names that people choose: in one spelling, and such that nobody can take one that looks like somebody else's. What is allowed
 * is PRECIS' IdentifierClass (RFC 8264) with blanks inside, in compatibility form (NFKC) and with its case kept, of letters of one
 * script, or of those that are written together (the "highly restrictive" level of UTS #39).
 */
import { report, type Field } from '../../content/validators/field.ts';
import { v } from '../../content/validators/index.ts';

/** Those that are in everyday use (UAX #31, table 5). */
const SCRIPTS =
  'Arabic Armenian Bengali Cyrillic Devanagari Ethiopic Georgian Greek Gujarati Gurmukhi Hebrew Kannada Khmer Lao Latin Malayalam Myanmar Oriya Sinhala Tamil Telugu Thaana Thai Tibetan';

/** Scripts that one language uses together, with Latin. */
const TOGETHER = ['Latin Han Hiragana Katakana', 'Latin Han Bopomofo', 'Latin Han Hangul'];

/**
 * Names of letters of some scripts, with digits and ASCII signs. Marks that belong to no script go with the letters of any. Not those
 * letters that look like apostrophes and quotes (U+02B0 to U+02FF).
 */
function namesOf(scripts: string): RegExp {
  const letters = scripts.split(' ').map((script) => `\\p{Script_Extensions=${script}}`);
  return new RegExp(
    `^(?:[\\u0020-@[-\`{-~]|(?=[\\p{L}\\p{M}\\p{Nd}])(?![\u02B0-\u02FF])[${letters.join('')}\\p{Script=Inherited}])+$`,
    'u',
  );
}

const LATIN = namesOf('Latin');
/** Made when a name is not all Latin. */
let others: readonly RegExp[] | undefined;

function isOfOneScript(name: string): boolean {
  if (LATIN.test(name)) return true;
  others ??= [...SCRIPTS.split(' '), ...TOGETHER].map(namesOf);
  return others.some((names) => names.test(name));
}

/** Controls, what changes the direction of text, and what has no width or no form. */
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
const MISPLACED_BLANK = /^\s|\s$|\s\s|^\p{M}/u;

/** What is wrong with a name, without its subject: `must …`. Undefined for a good one. `name` is in the form NFKC. */
export function usernameProblem(name: string): string | undefined {
  const invisible = INVISIBLE.exec(name)?.[0].codePointAt(0);
  if (invisible !== undefined) {
    const code = invisible.toString(16).toUpperCase().padStart(4, '0');
    return `must not have characters that can't be seen, such as U+${code}`;
  }
  if (MISPLACED_BLANK.test(name)) return 'must not begin or end with a blank or an accent, or have two blanks in a row';
  return isOfOneScript(name) ? undefined : 'must have letters of one script only, digits, and signs such as - _ . @';
}

/** No name is as long, and to bring longer texts into the form NFKC costs time. */
const MAX_LENGTH = 1000;

/** The one spelling of a name: different spellings look the same. */
export function normaliseUsername(name: string): string {
  return name.length > MAX_LENGTH ? name : name.normalize('NFKC');
}

const text = v.string({ required: true, minLength: 3, unique: true });

/** The field of a body that sets a name. */
export const usernameField: Field = {
  check(value, scope) {
    const name = text.check(typeof value === 'string' ? normaliseUsername(value) : value, scope);
    const problem = typeof name === 'string' ? usernameProblem(name) : undefined;
    if (problem === undefined) return name;
    report(scope, problem);
    return undefined;
  },
};
