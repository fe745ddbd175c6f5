import { castFloat } from '../values/cast-number.ts';
import type { AttributeType, Bound, RangeOption, ReadResult } from './attribute-type.ts';
import { LEADING_ZERO, NO_LEADING_ZERO } from './read-bound.ts';
import { readNumberOf } from './read-default.ts';

function readBound(text: string): ReadResult<Bound> {
  if (LEADING_ZERO.test(text)) return NO_LEADING_ZERO;
  const value = Number(text);
  return text !== '' && Number.isFinite(value) ? { value } : { expected: 'a number' };
}

/** A floating-point number. */
export const float: AttributeType<number, RangeOption> = {
  options: ['min', 'max'],
  columnType: 'float',
  input: 'decimal',
  canBeUnique: true,
  operators: 'compared',
  cast: castFloat,
  readBound,
  readDefault: readNumberOf(readBound),
  typescript: { output: 'number' },
  jsonSchema: { output: { type: 'number' } },
  sample: 0.25,
};
