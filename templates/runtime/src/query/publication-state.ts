/** `publicationState`: whether drafts are included. */
import { invalidParameter } from './invalid-parameter.ts';
import type { QueryValue } from './query-value.ts';

/** Whether only published rows are included; `inherited` if not specified. Throws BadRequestError for an invalid value. */
export function parsePublicationState(value: QueryValue | undefined, inherited: boolean): boolean {
  if (value === undefined) {
    return inherited;
  }
  if (value !== 'live' && value !== 'preview') {
    throw invalidParameter('publicationState');
  }
  return value === 'live';
}
