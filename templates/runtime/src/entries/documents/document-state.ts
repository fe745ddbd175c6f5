/** Whether a write of the v5 format publishes, which its query says. */
import type { ContentType } from '../../contract/content-type.ts';
import { BadRequestError } from '../../contract/errors.ts';
import { isRecord } from '../../content/validators/attributes.ts';
import type { CheckedQuery } from '../../query/reader.ts';
import type { StoredEntry } from '../context.ts';

/** The data with the state that the query asks for, where the type has drafts. */
export function withState({ draftAndPublish }: ContentType, data: unknown, { live }: CheckedQuery): unknown {
  if (!draftAndPublish || !isRecord(data)) return data;
  return { ...data, publishedAt: live ? new Date().toISOString() : null };
}

/** Throws BadRequestError where a draft is to be written of an entry that is published: there is one row for both. */
export function requireDraft(
  { draftAndPublish }: ContentType,
  { published }: StoredEntry,
  { live }: CheckedQuery,
): void {
  if (!draftAndPublish || live || !published) return;
  throw new BadRequestError(
    'This entry is published, and has no draft beside that: update it without status=draft, which publishes the change',
  );
}

/** Throws BadRequestError where only the draft of an entry is to be deleted. */
export function refuseDraftDelete({ draftAndPublish }: ContentType, { live }: CheckedQuery): void {
  if (draftAndPublish && !live) {
    throw new BadRequestError('Invalid parameter status: an entry is deleted whatever its status');
  }
}
