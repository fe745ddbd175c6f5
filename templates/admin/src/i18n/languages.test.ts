/** The compiler demands each text in each language; these tests demand that it says the same with the same values. */
import { describe, expect, it } from 'vitest';
import { english } from './english.ts';
import { french } from './french.ts';
import { german } from './german.ts';
import { spanish } from './spanish.ts';

type Tree = { readonly [key: string]: string | Tree | undefined };

function textsOf(tree: Tree, path = ''): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(tree).flatMap(([key, value]) =>
      typeof value === 'string' ? [[`${path}${key}`, value] as const] : [...textsOf(value ?? {}, `${path}${key}.`)],
    ),
  );
}

function valuesIn(text: string): readonly string[] {
  return [...new Set(text.match(/%\{\w+\}/gu) ?? [])].sort();
}

const ENGLISH = textsOf(english);
/** Parts of react-admin that the panel doesn't have. */
const isUnused = (path: string): boolean => path.startsWith('ra.configurable.');
/** What react-admin asks for, or counts, in its own way, is not. */
const isOurs = (path: string): boolean => !path.startsWith('ra.');

describe.each(Object.entries({ german, french, spanish }))('the %s texts', (_name, language) => {
  const texts = textsOf(language);

  it('are all there, and none is empty', () => {
    const missing = [...ENGLISH].filter(
      ([path, text]) => text.trim() !== '' && !isUnused(path) && !texts.get(path)?.trim(),
    );
    expect(missing.map(([path]) => path)).toEqual([]);
  });

  it('have the same values, and as many plural forms', () => {
    const differing = [...ENGLISH].filter(([path, text]) => {
      const other = texts.get(path) ?? '';
      const hasForms = text.includes('||||') === other.includes('||||');
      return isOurs(path) && !(hasForms && String(valuesIn(text)) === String(valuesIn(other)));
    });
    expect(differing.map(([path]) => path)).toEqual([]);
  });
});
