/** The entries that the caller may change, where a rule of the role says which. */
import type { ContentType } from '../model/model.ts';

/** In the filters of a list: the action that may change its entries. Can't clash with attribute names, which begin with a letter. */
export const PERMITTED_FILTER = '__permitted';

/** The action by which the role changes entries. */
export function changingAction(may: (uid: string, action: string) => boolean, { uid }: ContentType) {
  return may(uid, 'update') ? 'update' : 'draft';
}
