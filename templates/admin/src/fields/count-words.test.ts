import { expect, test } from 'vitest';
import { countWords } from './count-words.ts';

test.each([
  ['', 0],
  ['  ', 0],
  ['One', 1],
  ['It’s a well-known fact – since 1999.', 6],
  ['# Heading\n\n- item one', 3],
  ['漢字 test', 3],
])('%j has %i words', (text, words) => expect(countWords(text)).toBe(words));
