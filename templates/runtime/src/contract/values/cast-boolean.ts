/** Booleans, in the spellings that clients send. */
import { type CastResult, err, ok } from './cast-result.ts';

/** `true`, `"true"` in any case, 1 and `"1"`, and likewise for false. */
export function castBoolean(value: unknown): CastResult<boolean> {
  switch (typeof value === 'string' ? value.toLowerCase() : value) {
    case true:
    case 1:
    case '1':
    case 'true':
      return ok(true);
    case false:
    case 0:
    case '0':
    case 'false':
      return ok(false);
    default:
      return err('must be true or false');
  }
}
