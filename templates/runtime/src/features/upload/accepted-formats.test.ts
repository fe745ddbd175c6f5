import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { namesBefore } from './accepted-formats.ts';

const HASH = `card_${'0123456789abcdef'.repeat(2)}`;
const before = namesBefore([
  { name: 'card', width: 100, also: ['avif', 'webp'] },
  { name: 'plain', width: 9 },
]);
const endsOf = (accept: string, ext = '.jpg') =>
  before(`${HASH}${ext}`, accept)?.map((name) => name.slice(HASH.length));

describe('the address of a size', () => {
  it.each<readonly [accept: string, ends: readonly string[]]>([
    ['', []],
    ['*/*', []],
    ['image/*', []],
    ['image/*;q=0.5', []],
    ['image/jpeg', []],
    ['image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8', ['.avif', '.webp']],
    ['image/webp,*/*', ['.webp']],
    ['image/webp , IMAGE/AVIF ; q=1.0', ['.avif', '.webp']],
    ['image/avif;q=0.5,image/webp', ['.webp', '.avif']],
    ['image/avif;q=0,image/webp', ['.webp']],
    ['image/avif;q=0', []],
    // What it wants more is its own format.
    ['image/webp;q=0.5,*/*', []],
    ['image/webp;q=0.5,image/jpeg', []],
    ['image/webp;q=0.5,image/jpeg;q=0.4,*/*', ['.webp']],
    ['image/webp;level=1;q=0.5', ['.webp']],
    ['image/webp-x,ximage/avif,image/avif/x', []],
    [',;,q=1,image/;=,;;q=', []],
  ])('answers %j with %j before its own', (accept, ends) => {
    expect(endsOf(accept)).toEqual(ends);
  });

  it('answers with what is preferred to its own format only', () => {
    const accept = 'image/avif,image/webp,*/*';
    expect(endsOf(accept, '.webp')).toEqual(['.avif']);
    expect(endsOf(accept, '.PNG')).toEqual(['.avif', '.webp']);
    expect(endsOf(accept, '.avif')).toBeUndefined();
  });

  it('is that of an image, in a size with further formats', () => {
    for (const name of [
      'plain_x.jpg',
      'cards_x.jpg',
      'card.jpg',
      `${'0'.repeat(32)}.jpg`,
      'card_x.pdf',
      'card_x',
      '',
    ]) {
      expect(before(name, 'image/avif'), name).toBeUndefined();
    }
  });

  it('answers any header, with names of the same file', () => {
    const part = fc.oneof(fc.constantFrom('image/avif', 'image/webp', '*/*', ';', ',', 'q=', '=0.5', ' '), fc.string());
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
        const ends = endsOf(parts.join('')) ?? [];
        expect(ends.every((end) => ['.avif', '.webp'].includes(end) && parts.join('').includes(end.slice(1)))).toBe(
          true,
        );
      }),
    );
  });
});
