import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { castDecimal, compareDecimals } from './decimal.ts';

function canonical(value: unknown): string {
  const result = castDecimal(value);
  if (!result.ok) throw new Error(result.message);
  return result.value;
}

const digits = (maxLength: number) => fc.stringMatching(new RegExp(`^[0-9]{0,${maxLength}}$`));

/** Decimal numbers of up to 35 and 30 digits, in any spelling. */
const decimals = fc
  .record({ sign: fc.constantFrom('', '-', '+'), integer: digits(35), fraction: digits(30) })
  .filter(({ integer, fraction }) => integer + fraction !== '');

test('every spelling of a number has one canonical form', () => {
  fc.assert(
    fc.property(decimals, fc.nat(5), ({ sign, integer, fraction }, shift) => {
      const plain = canonical(`${sign}${integer}.${fraction}`);
      expect(plain).toMatch(/^(?:0|-?(?:[1-9]\d*|0)(?:\.\d*[1-9])?)$/);
      expect(plain).not.toBe('-0');
      expect(canonical(plain)).toBe(plain);
      expect(canonical(` ${sign}00${integer}.${fraction} `)).toBe(plain);
      const shifted = `${sign}${integer.padStart(shift + 1, '0')}`;
      const moved = `${shifted.slice(0, shifted.length - shift)}.${shifted.slice(shifted.length - shift)}${fraction}e${shift}`;
      expect(canonical(moved)).toBe(plain);
    }),
    { numRuns: 300 },
  );
});

test('numbers are converted in their shortest form, and convert back to the same number', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, min: -1e20, max: 1e20 }), (number) => {
      fc.pre(Math.abs(number) > 1e-13 || number === 0);
      expect(Number(canonical(number))).toBe(number === 0 ? 0 : number);
    }),
    { numRuns: 300 },
  );
});

test('comparison is exact', () => {
  expect(compareDecimals('0.1', '0.10000000000000000000000000001')).toBe(-1);
  expect(compareDecimals('-0.5', '-0.4')).toBe(-1);
  expect(compareDecimals('9007199254740993', '9007199254740992')).toBe(1);
  fc.assert(
    fc.property(
      fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }),
      fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }),
      (left, right) => {
        const order = left === right ? 0 : left < right ? -1 : 1;
        expect(compareDecimals(canonical(`${left}e-9`), canonical(`${right}e-9`))).toBe(order);
      },
    ),
    { numRuns: 300 },
  );
});
