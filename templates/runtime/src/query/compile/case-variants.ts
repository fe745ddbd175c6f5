/** Which characters differ only in case, by the simple case folding of Unicode. */

/** Behind it no character has a case. */
const LAST_CASED = 0x1_e943;

/** The character that stands for all variants of one; itself where a change of case gives several characters. */
function representative(character: string): string {
  const upper = character.toUpperCase();
  const single = lengthOf(upper) === 1 ? upper : character;
  const lower = single.toLowerCase();
  return lengthOf(lower) === 1 ? lower : single;
}

function lengthOf(text: string): number {
  return Array.from(text).length;
}

/** The rule of regular expressions, which leaves out what depends on a language, such as a dotless i. */
function sameWhenFolded(left: string, right: string): boolean {
  return new RegExp(`^${left}$`, 'iu').test(right);
}

function collectVariants(): ReadonlyMap<string, readonly string[]> {
  const classes = new Map<string, string[]>();
  for (let code = 0x41; code <= LAST_CASED; code += 1) {
    const character = String.fromCodePoint(code);
    if (/^\p{Changes_When_Casemapped}$/u.test(character)) {
      const key = representative(character);
      if (key === character || sameWhenFolded(key, character)) {
        classes.set(key, [...(classes.get(key) ?? []), character]);
      }
    }
  }
  const variants = new Map<string, readonly string[]>();
  for (const members of classes.values()) {
    for (const member of members) {
      variants.set(member, members);
    }
  }
  return variants;
}

let known: ReadonlyMap<string, readonly string[]> | undefined;

/** A character with those that differ from it only in case. The table is made at the first call, in some milliseconds. */
export function caseVariants(character: string): readonly string[] {
  known ??= collectVariants();
  return known.get(character) ?? [character];
}
