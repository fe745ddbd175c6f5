/** The status of a write in the v5 format, which its query determines: draft or published. */
import type { ContentType } from '../../contract/content-type.ts';
import { BadRequestError } from '../../contract/errors.ts';
import { isRecord } from '../../content/validators/attributes.ts';
import type { CheckedQuery } from '../../query/checked-query.ts';

/** The data of a request in the v4 format, which may ask to write the draft alone. */
export function asDraft(data: unknown, { alone }: CheckedQuery): unknown {
  return alone && isRecord(data) ? { ...data, publishedAt: null } : data;
}

/** Adds the status that the query requests to the data, if the type has drafts. */
export function withStatus({ draftAndPublish }: ContentType, data: unknown, { live }: CheckedQuery): unknown {
  if (!draftAndPublish || !isRecord(data)) return data;
  return { ...data, publishedAt: live ? new Date().toISOString() : null };
}

/** Throws BadRequestError for a request to delete only the draft of an entry. */
export function refuseDraftDelete({ alone }: CheckedQuery): void {
  if (alone) {
    throw new BadRequestError('Invalid parameter status: an entry is deleted regardless of its status');
  }
}
