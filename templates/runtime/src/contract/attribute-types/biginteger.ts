import { castBigInteger, MAX_BIG_INTEGER, MIN_BIG_INTEGER } from '../values/cast-number.ts';
import type { AttributeType, RangeOption } from './attribute-type.ts';
import { readBoundBy } from './read-bound.ts';
import { readExactNumberOf } from './read-default.ts';

const readBound = readBoundBy(castBigInteger, `a whole number from ${MIN_BIG_INTEGER} to ${MAX_BIG_INTEGER}`);

/** A 64-bit integer. */
export const biginteger: AttributeType<number | string, RangeOption> = {
  options: ['min', 'max'],
  columnType: 'biginteger',
  input: 'biginteger',
  isExact: true,
  canBeUnique: true,
  operators: 'spelled',
  cast: castBigInteger,
  readBound,
  readDefault: readExactNumberOf(readBound),
  typescript: { output: 'string', input: 'string | number' },
  jsonSchema: {
    output: { type: 'string', pattern: '^-?[0-9]+$' },
    input: { type: ['integer', 'string'], pattern: '^-?[0-9]+$' },
  },
  sample: '9007199254740993',
};
