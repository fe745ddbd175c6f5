/** `publicationState`: whether drafts are seen. */
import { invalidParameter } from './invalid-parameter.ts';
import type { QueryValue } from './query-value.ts';

/** Whether only published rows are seen: `inherited` when it is not said. Throws BadRequestError. */
export function parsePublicationState(value: QueryValue | undefined, inherited: boolean): boolean {
  if (value === undefined) {
    return inherited;
  }
  if (value !== 'live' && value !== 'preview') {
    throw invalidParameter('publicationState');
  }
  return value === 'live';
}
