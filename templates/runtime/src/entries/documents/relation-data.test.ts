import { expect, test } from 'vitest';
import type { RelationAttribute } from '../../contract/content-type.ts';
import { relationValue } from './relation-data.ts';
import { unknownKeys } from './unknown-keys.ts';

const tags: RelationAttribute = {
  type: 'relation',
  relation: 'manyWay',
  many: true,
  target: 'tag',
  storage: { kind: 'link', table: 'articles_tags', own: 'a', other: 'b', position: 'a_pos' },
};

/** The rows of two documents, by document id and locale. */
const ROWS: Readonly<Record<string, number>> = { 'one en': 1, 'one fr': 2, 'two en': 3, 'two fr': 4 };

function converted(value: unknown): unknown {
  const resolve = ({ documentId, locale = 'en' }: { documentId: string; locale: string | undefined }) =>
    ROWS[`${documentId} ${locale}`];
  const types = { types: {}, components: {}, locales: ['en', 'fr'] };
  const place = { path: ['tags'], isShared: false };
  return relationValue({ types, resolve, unknown: unknownKeys() }, tags, value, place);
}

test.each([
  ['a document id', { documentId: 'two', locale: 'fr' }],
  ['an id', { id: 4, locale: 'fr' }],
  ['both, as it was read', { id: 4, documentId: 'two', locale: 'fr' }],
])('an anchor is in the locale of its element, where that is named by %s', (_, element) => {
  for (const place of ['before', 'after']) {
    for (const anchor of ['one', { documentId: 'one' }]) {
      expect(converted({ connect: [{ ...element, position: { [place]: anchor } }] })).toEqual({
        connect: [{ id: 4, position: { [place]: { id: 2 } } }],
      });
    }
    expect(converted({ connect: [{ ...element, position: { [place]: 'one', locale: 'en' } }] })).toEqual({
      connect: [{ id: 4, position: { [place]: { id: 1 } } }],
    });
  }
});
