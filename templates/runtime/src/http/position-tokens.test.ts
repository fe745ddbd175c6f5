/** Position tokens of clients: which ones are accepted. */
import { describe, expect, it } from 'vitest';
import { LATEST } from '../base/read-point.ts';
import { createPositionTokens } from './position-tokens.ts';

describe('a position token', () => {
  let now = 1_800_000_000_000;
  const tokens = createPositionTokens('of the tests', () => now);

  it('is valid in all instances with the same secret, and in no other one', () => {
    const token = tokens.write(123_456_789);
    expect(createPositionTokens('of the tests', () => now).read(token)).toBe(123_456_789);
    expect(createPositionTokens('another one', () => now).read(token)).toBeUndefined();
  });

  it('can be neither forged nor changed', () => {
    const [position = '', time = '', signature = ''] = tokens.write(1000).split('.');
    for (const made of [
      '',
      '0',
      `zzzz.${time}.${signature}`,
      `${position}.zzzzzz.${signature}`,
      `latest.${time}.${signature}`,
    ]) {
      expect(tokens.read(made)).toBeUndefined();
    }
  });

  it('expires, sooner if only the primary has its position', () => {
    const [known, latest] = [tokens.write(1000), tokens.write(LATEST)];
    expect(tokens.read(latest)).toBe(LATEST);
    now += 61_000;
    expect(tokens.read(latest)).toBeUndefined();
    expect(tokens.read(known)).toBe(1000);
    now += 3_600_000;
    expect(tokens.read(known)).toBeUndefined();
  });
});
