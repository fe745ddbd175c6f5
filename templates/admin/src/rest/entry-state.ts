/** The state of an entry: only a draft, published, or published with a draft that differs. */
import type { Identifier } from 'react-admin';
import type { QueryObject, QueryValue } from './query-string.ts';

export const STATES = ['draft', 'published', 'modified'] as const;

export type EntryState = (typeof STATES)[number];

/** Of records in lists: whether the draft differs. Can't clash with attribute names, which begin with a letter. */
export const MODIFIED_KEY = '__modified';

/** The state in the filters of a list. */
export const STATE_FILTER = '__state';

/** The server's words for the states. */
const FILTERS: Readonly<Record<EntryState, string>> = {
  draft: 'never-published',
  published: 'unmodified',
  modified: 'modified',
};

export function stateOf(publishedAt: unknown, isModified: boolean): EntryState {
  if (typeof publishedAt !== 'string') return 'draft';
  return isModified ? 'modified' : 'published';
}

export function isState(value: unknown): value is EntryState {
  return STATES.some((state) => state === value);
}

/** The parameter for the entries in a state; none for anything else, such as all entries. */
export function stateQuery(state: unknown): QueryObject {
  return isState(state) ? { publicationFilter: FILTERS[state] } : {};
}

/** The query for those of the entries whose draft differs from what is published. */
export function modifiedQuery(ids: readonly Identifier[], locale: QueryValue): QueryObject {
  return {
    fields: ['id'],
    filters: { id: { $in: ids } },
    publicationState: 'preview',
    ...stateQuery('modified'),
    ...(locale !== undefined && { locale }),
    pagination: { pageSize: ids.length, withCount: false },
  };
}
