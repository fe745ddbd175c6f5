/** A language of the team, which may leave texts out. */
interface Tree {
  readonly [key: string]: string | Tree | undefined;
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null;
}

/** The texts of a language, with those in English where it has none. What English doesn't have is left out. */
export function withEnglish<T extends Tree>(english: T, texts: unknown): T {
  if (!isTree(texts)) return english;
  // It has the same keys.
  return Object.fromEntries(
    Object.entries(english).map(([key, value]) => {
      const own = Object.hasOwn(texts, key) ? texts[key] : undefined;
      if (isTree(value)) return [key, withEnglish<Tree>(value, own)];
      return [key, typeof own === 'string' ? own : value];
    }),
  );
}
