/** Finds out whether saves were stored that had no response, by reading what the server has stored since. */
import { HttpError } from 'react-admin';
import { useMay } from '../app/session.ts';
import { resourceOf } from '../model/model.ts';
import { useModel } from '../model/model-context.tsx';
import { draftsQuery } from '../rest/entry-query.ts';
import { ask } from '../rest/request.ts';
import type { RestEntry } from '../rest/rest-entry.ts';
import { type EntryTarget, isNew } from './entry-target.ts';
import { type LoadedEntry, orNull, useReadEntry } from './load-entry.ts';
import { createOutcome, MAX_COMPARED, type Outcome, updateOutcome } from './outcome.ts';
import type { Attempt } from './save-entry.ts';

/** In milliseconds: `Date` headers have full seconds, and the clocks of a proxy and of several servers differ slightly. */
const CLOCK_TOLERANCE = 5000;

/** Returns a function that finds the outcome of the attempts, of which at most one was stored. It throws what reading throws. */
export function useFindOutcome(target: EntryTarget): (attempts: readonly Attempt[]) => Promise<Outcome> {
  const index = useModel();
  const may = useMay();
  const read = useReadEntry();
  const { type, locale } = target;
  const mayPreview = may(type.uid, 'preview');

  async function createdSince(time: number): Promise<readonly LoadedEntry[]> {
    const answer = await ask<{ readonly data: readonly RestEntry[] } | readonly RestEntry[]>({
      path: resourceOf(type),
      query: {
        fields: ['id'],
        filters: { createdAt: { $gte: new Date(time - CLOCK_TOLERANCE).toISOString() } },
        sort: 'createdAt:asc',
        pagination: { pageSize: MAX_COMPARED, withCount: false },
        ...draftsQuery(type, mayPreview),
        ...(type.localized && { locale }),
      },
    });
    return await Promise.all(('data' in answer ? answer.data : answer).map(({ id }) => read({ type, id })));
  }

  async function created(attempts: readonly Attempt[]): Promise<Outcome> {
    const since = attempts[0]?.since;
    const isVisible = mayPreview || attempts.every(({ data }) => data['publishedAt'] !== null);
    if (since === undefined || !isVisible) return { kind: 'unclear' };
    try {
      return createOutcome(attempts, await createdSince(since), { type, index });
    } catch (error) {
      // Such as a role that may create entries, but not read them.
      if (error instanceof HttpError && error.status < 500) return { kind: 'unclear' };
      throw error;
    }
  }

  return async (attempts) =>
    isNew(target)
      ? await created(attempts)
      : updateOutcome(attempts, await orNull(target, read(target)), { type, index });
}
