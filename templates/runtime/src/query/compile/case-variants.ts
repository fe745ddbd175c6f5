/** Characters that differ only in case, by Unicode's simple case folding. */

/** No character above it has case. */
const LAST_CASED = 0x1_e943;

/** The representative of all case variants of a character; the character itself if a case mapping yields several characters. */
function representative(character: string): string {
  const upper = character.toUpperCase();
  const single = lengthOf(upper) === 1 ? upper : character;
  const lower = single.toLowerCase();
  return lengthOf(lower) === 1 ? lower : single;
}

function lengthOf(text: string): number {
  return Array.from(text).length;
}

/** The comparison of regular expressions, which ignores language-specific mappings such as the dotless i. */
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

/** A character and its case variants. The table is built on the first call, which takes a few milliseconds. */
export function caseVariants(character: string): readonly string[] {
  known ??= collectVariants();
  return known.get(character) ?? [character];
}
