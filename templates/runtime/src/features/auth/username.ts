/**
 * User names: normalized, and restricted against homograph attacks. Allowed is the IdentifierClass of PRECIS (RFC 8264)
 * with inner blanks, in NFKC, case preserved, with letters of one script or of scripts that are commonly combined
 * ("highly restrictive" in UTS #39).
 */
import { type Field, report } from '../../content/validators/field.ts';
import { scalarField } from '../../content/validators/scalar-field.ts';
import { canonicalText } from './canonical-text.ts';

/** Recommended scripts (UAX #31, table 5). */
const SCRIPTS =
  'Arabic Armenian Bengali Cyrillic Devanagari Ethiopic Georgian Greek Gujarati Gurmukhi Hebrew Kannada Khmer Lao Latin Malayalam Myanmar Oriya Sinhala Tamil Telugu Thaana Thai Tibetan';

/** Scripts that a single language combines, with Latin. */
const TOGETHER = ['Latin Han Hiragana Katakana', 'Latin Han Bopomofo', 'Latin Han Hangul'];

/**
 * Matches names with letters of these scripts, digits and ASCII punctuation. Inherited marks are allowed with any
 * script. Letters that look like apostrophes and quotes (U+02B0 to U+02FF) are not.
 */
function namesOf(scripts: string): RegExp {
  const letters = scripts.split(' ').map((script) => `\\p{Script_Extensions=${script}}`);
  return new RegExp(
    `^(?:[\\u0020-@[-\`{-~]|(?=[\\p{L}\\p{M}\\p{Nd}])(?![\u02B0-\u02FF])[${letters.join('')}\\p{Script=Inherited}])+$`,
    'u',
  );
}

const LATIN = namesOf('Latin');
/** Created lazily, for the first name that is not Latin. */
let others: readonly RegExp[] | undefined;

function isOfOneScript(name: string): boolean {
  if (LATIN.test(name)) return true;
  others ??= [...SCRIPTS.split(' '), ...TOGETHER].map(namesOf);
  return others.some((names) => names.test(name));
}

/** Control characters, bidirectional controls, and characters without a glyph. */
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
const MISPLACED_BLANK = /^\s|\s$|\s\s|^\p{M}/u;

/** What is wrong with a name (in NFKC), as in `must …`; undefined if it is valid. */
export function usernameProblem(name: string): string | undefined {
  const invisible = INVISIBLE.exec(name)?.[0].codePointAt(0);
  if (invisible !== undefined) {
    const code = invisible.toString(16).toUpperCase().padStart(4, '0');
    return `must not contain invisible characters, such as U+${code}`;
  }
  if (MISPLACED_BLANK.test(name)) {
    return 'must not begin or end with a space or an accent, or contain two spaces in a row';
  }
  return isOfOneScript(name)
    ? undefined
    : 'must consist of letters of a single script, digits, and characters such as - _ . @';
}

/** The canonical form of a name: equivalent spellings look the same. */
export function normalizeUsername(name: string): string {
  return canonicalText(name, 'NFKC');
}

const text = scalarField('string', { required: true, minLength: 3, unique: true });

/** The validator of user names in bodies. */
export const usernameField: Field = {
  check(value, scope) {
    const name = text.check(typeof value === 'string' ? normalizeUsername(value) : value, scope);
    const problem = typeof name === 'string' ? usernameProblem(name) : undefined;
    if (problem === undefined) return name;
    report(scope, problem);
    return undefined;
  },
};
