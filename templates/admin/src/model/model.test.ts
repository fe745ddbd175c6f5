import { expect, it } from 'vitest';
import { labelOf } from './model.ts';

it('labels an attribute with its display name, or else with the words of its name', () => {
  expect(labelOf('metaTitle', { displayName: 'Title in results' })).toBe('Title in results');
  const derived = ['metaTitle', 'sub_title', 'h1Title', 'updatedAt'].map((name) => labelOf(name, undefined));
  expect(derived).toEqual(['Meta title', 'Sub title', 'H1 title', 'Updated at']);
  expect(labelOf('cover', {})).toBe('Cover');
});
