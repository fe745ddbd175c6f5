/** Why something that was due was refused, as it is stored and shown. */
import type { ContentType, ContentTypes } from '../../contract/content-type.ts';
import { HttpError, NotFoundError, shownIssues, ValidationError } from '../../contract/errors.ts';
import { StaleEntryError } from '../../entries/stale-entry.ts';
import { explainedViolation } from '../../entries/unique.ts';

export interface Refusal {
  readonly message: string;
  /** Each value that was refused. */
  readonly errors?: readonly { readonly path: readonly string[]; readonly message: string }[];
}

/** The error with a message for people. */
export function explained(error: unknown, types: ContentTypes, type: ContentType | undefined): unknown {
  return type ? explainedViolation(error, { types, type, input: {} }) : error;
}

export function refusalOf(error: unknown): Refusal {
  if (error instanceof NotFoundError) return { message: 'There is no such entry' };
  const message = error instanceof Error ? error.message || error.name : String(error);
  if (!(error instanceof ValidationError)) return { message };
  const { errors } = shownIssues(error.issues);
  return { message, errors: errors as NonNullable<Refusal['errors']> };
}

/** Whether trying again makes no difference: the content, or a hook, refuses it. */
export function isFinal(error: unknown): boolean {
  if (!(error instanceof HttpError) || error instanceof StaleEntryError) return false;
  return error.status >= 400 && error.status < 500 && error.status !== 409;
}

export function storedRefusal(text: unknown): Refusal | undefined {
  return typeof text === 'string' ? (JSON.parse(text) as Refusal) : undefined;
}
