/** From a value of a request to the canonical value of an attribute. The one place for bodies and query filters alike. */
import type { ScalarType } from '../content-type.ts';
import { castBlocks } from './blocks.ts';
import { castBoolean } from './cast-boolean.ts';
import { castBigInteger, castFloat, castInteger } from './cast-number.ts';
import type { CastResult } from './cast-result.ts';
import { castText } from './cast-text.ts';
import { castDate, castInstant, castTime } from './cast-time.ts';
import { castDecimal } from './decimal.ts';
import { castJson, type JsonValue } from './json.ts';

/**
 * Text for text-like types, `date` (`YYYY-MM-DD`), `time` (`HH:mm:ss.SSS`), `datetime` and `timestamp` (ISO 8601 UTC with
 * milliseconds), `decimal` and `biginteger` (decimal text); number for `integer` and `float`; boolean; JSON.
 */
export type Canonical = JsonValue;

type Cast = (value: unknown) => CastResult<Canonical>;

const CASTS: Readonly<Record<ScalarType, Cast>> = {
  string: castText,
  text: castText,
  richtext: castText,
  email: castText,
  password: castText,
  uid: castText,
  enumeration: castText,
  integer: castInteger,
  biginteger: castBigInteger,
  float: castFloat,
  decimal: castDecimal,
  date: castDate,
  time: castTime,
  datetime: castInstant,
  timestamp: castInstant,
  boolean: castBoolean,
  json: castJson,
  blocks: castBlocks,
};

/**
 * Casts a value other than null. What can't be cast exactly is refused; the message is a predicate: `must be a string`.
 * Formats and rules of an attribute (e-mail, uid, enumeration, lengths, ranges) are checked by its validator, not here.
 */
export function castScalar(type: ScalarType, value: unknown): CastResult<Canonical> {
  return CASTS[type](value);
}
