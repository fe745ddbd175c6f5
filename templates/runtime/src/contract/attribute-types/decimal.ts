import { castDecimal, MAX_FRACTION_DIGITS, MAX_INTEGER_DIGITS } from '../values/decimal.ts';
import type { AttributeType, RangeOption } from './attribute-type.ts';
import { readBoundBy } from './read-bound.ts';
import { readExactNumberOf } from './read-default.ts';

const readBound = readBoundBy(
  castDecimal,
  `a number with at most ${MAX_INTEGER_DIGITS} digits before and ${MAX_FRACTION_DIGITS} after the point`,
);

/** An exact decimal number. */
export const decimal: AttributeType<number | string, RangeOption> = {
  options: ['min', 'max'],
  columnType: 'decimal',
  input: 'decimal',
  isExact: true,
  canBeUnique: true,
  operators: 'spelled',
  cast: castDecimal,
  readBound,
  readDefault: readExactNumberOf(readBound),
  typescript: { output: 'number', input: 'string | number' },
  jsonSchema: { output: { type: 'number' }, input: { type: ['number', 'string'] } },
  sample: '9.99',
};
