import { expect, test } from 'vitest';
import { withEnglish } from './with-english.ts';

test('texts that a language leaves out, or has as something else, are English', () => {
  const english = { menu: { lists: 'Lists', model: 'Model' }, home: { new: 'New' }, title: 'Title' };
  const texts = { menu: { lists: 'רשימות', other: 'אחר' }, home: 'בית', title: { no: 'text' }, toString: 'no' };
  expect(withEnglish(english, texts)).toEqual({
    menu: { lists: 'רשימות', model: 'Model' },
    home: { new: 'New' },
    title: 'Title',
  });
  expect(withEnglish(english, undefined)).toEqual(english);
});
