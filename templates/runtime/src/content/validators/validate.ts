/** Runs a zod type and answers its issues as the API does. */
import type { z } from 'zod';
import { ValidationError } from '../../contract/errors.ts';

/** What the type makes of `data`. Throws ValidationError with all failing paths, as strings. */
export function validate<Output>(schema: z.ZodType<Output>, data: unknown): Output {
  const result = schema.safeParse(data);
  if (result.success) return result.data;
  throw new ValidationError(result.error.issues.map(({ path, message }) => ({ path: path.map(String), message })));
}
