import { getContrastRatio } from '@mui/material/styles';
import { describe, expect, it } from 'vitest';
import { readableOn } from './readable-color.ts';

const LIGHT = ['#ffffff', '#f6f7fb'];
const DARK = ['#14151c', '#1d1f29'];

describe('readableOn', () => {
  it('leaves readable colours as they are', () => {
    expect(readableOn(LIGHT, '#00695c')).toBe('#00695c');
    expect(readableOn(DARK, '#80cbc4')).toBe('#80cbc4');
  });

  it.each([LIGHT, DARK])('makes every colour readable on %s and %s', (...backgrounds) => {
    const parts = ['00', '33', '80', 'cc', 'ff'];
    for (const red of parts) {
      for (const green of parts) {
        for (const blue of parts) {
          const color = readableOn(backgrounds, `#${red}${green}${blue}`);
          for (const background of backgrounds) {
            expect(getContrastRatio(color, background), color).toBeGreaterThanOrEqual(4.5);
          }
        }
      }
    }
  });
});
