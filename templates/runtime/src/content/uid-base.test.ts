import { expect, it } from 'vitest';
import { isUid } from '../contract/values/formats.ts';
import { slugify } from '../contract/values/slugify.ts';
import { slugOf } from './uid-base.ts';

it.each([
  ['Привет, мир!', 'privet-mir'],
  ['Йод и щука', 'yod-i-schuka'],
  ['Ўзбек', 'uzbek'],
  ['Αθήνα 2004', 'athina-2004'],
  ['Հայաստան', 'hayastan'],
  ['საქართველო', 'saqartvelo'],
  ['Кафе „Über“ & Crème', 'kafe-uber-and-creme'],
  ['日本語', ''],
])('%s becomes %s', async (text, slug) => {
  expect(await slugOf(text)).toBe(slug);
  expect(isUid(slug)).toBe(true);
});

it('Latin text is not changed', async () => {
  for (let code = 0; code < 0x2_0000; code += 1) {
    const letter = String.fromCodePoint(code);
    if (/[\p{L}\p{Surrogate}]/u.test(letter) && !/\p{Script=Latin}/u.test(letter)) continue;
    expect(await slugOf(`a${letter}b`)).toBe(slugify(`a${letter}b`));
  }
});

it('reads no more of a text than fits', async () => {
  expect(await slugOf('я'.repeat(100_000))).toBe('ya'.repeat(100));
});
