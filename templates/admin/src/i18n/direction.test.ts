import { expect, test } from 'vitest';
import { directionOf } from './direction.ts';

test.each(['ar', 'fa-IR', 'he', 'ur', 'yi', 'dv', 'az-Arab'])('%s is written from right to left', (language) => {
  expect(directionOf(language)).toBe('rtl');
});

test.each(['en', 'de', 'fr', 'es', 'az', 'ja', '', 'not a language'])('%s is not', (language) => {
  expect(directionOf(language)).toBe('ltr');
});
