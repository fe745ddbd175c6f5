/** What reads the entries that a validated query leads to, for those who build its answer from stored content. */
import { type AnswerBudget, createAnswerBudget } from '../base/cost/answer-budget.ts';
import type { Client } from '../base/client.ts';
import type { ApiSettings, ContentTypes } from '../contract/content-type.ts';
import { entriesTable } from '../contract/states.ts';
import type { Sql } from '../database/sql.ts';
import type { RelatedSource } from './assembled-entry.ts';
import type { ReadContext } from './read-limits.ts';
import type { ListQuery, ReadQuery, VisibleEntries } from './read-query.ts';
import { matchingEntries, rowsOfEntries, seenAmong, seenEntries, seenIds } from './seen-entries.ts';

/** A validated query, and what reads the entries that it leads to. */
export interface Selected {
  /** `sort`, `page` and `maxCount` are those of a list. */
  readonly query: ReadQuery & Partial<Pick<ListQuery, 'sort' | 'page' | 'maxCount'>>;
  readonly source: Omit<RelatedSource, 'matchingItems'>;
  /** What the answer may still contain. */
  readonly budget: AnswerBudget;
  /** A SELECT of the ids of all entries that the caller finds now; undefined if nothing narrows them. */
  among(entry: VisibleEntries): Sql | undefined;
  /** Those of the ids whose entries are there now, and visible. */
  seen(entry: VisibleEntries, ids: readonly number[]): Promise<ReadonlySet<number>>;
}

export function selectedEntries(
  context: ReadContext,
  {
    types,
    api,
    client,
  }: { readonly types: ContentTypes; readonly api: ApiSettings; readonly client: Client | undefined },
): Omit<Selected, 'query'> {
  const options = { client };
  return {
    source: {
      entries: (entry, ids, withType) => seenEntries(context, entry, ids, { withType, options }),
      matching: (entry, question, ids) => matchingEntries(context, entry, question, ids, options),
      rowsOf: (target, ids, wanted) => {
        const locales = [...(wanted === undefined ? [] : [wanted]), ...types.locales];
        return rowsOfEntries(context, entriesTable(target), ids, locales);
      },
    },
    budget: createAnswerBudget(api),
    among: (entry) => (entry.narrowed === undefined ? undefined : seenIds(context, entry)),
    seen: (entry, ids) => seenAmong(context, entry, ids, options),
  };
}
