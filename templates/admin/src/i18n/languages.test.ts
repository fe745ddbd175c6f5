/** The compiler demands each text in each language; these tests demand that it says the same with the same values. */
import { describe, expect, it } from 'vitest';
import { MESSAGES } from '../../../runtime/src/contract/message-codes.ts';
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

/** What texts of refusals may mention: values, limits and files, but no names or paths of the API. */
const MENTIONED = ['min', 'max', 'before', 'after', 'regex', 'values', 'pixels', 'levels', 'most'];
const ABOUT_FILES: Readonly<Record<string, readonly string[]>> = {
  wrongFile: ['type'],
  emptyFile: ['name'],
  fileType: ['name'],
  pixels: ['name'],
  reserved: ['name'],
};

/** The parameters that all of the messages have. */
function sharedParameters([first = '', ...others]: readonly string[]): readonly string[] {
  const namesIn = (text: string): readonly string[] => [...text.matchAll(/\{(\w+)\}/gu)].map(([, name = '']) => name);
  return namesIn(first).filter((name) => others.every((text) => namesIn(text).includes(name)));
}

describe.each(Object.entries(MESSAGES))('the refusal %s of the server', (code, messages) => {
  const parameters = sharedParameters(messages);

  it('has a text, which mentions only what each of its messages has and people know', () => {
    const text = ENGLISH.get(`rules.${code}`);
    const known = parameters.filter((name) => MENTIONED.includes(name) || ABOUT_FILES[code]?.includes(name));
    expect(text).toBeDefined();
    expect(known).toEqual(expect.arrayContaining(valuesIn(text ?? '').map((value) => value.slice(2, -1))));
  });
});

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
