/** Finds out whether saves were stored that had no response, by reading what the server has stored since. */
import { HttpError } from 'react-admin';
import { useMay } from '../app/session.ts';
import { type Attributes, isWritable, resourceOf } from '../model/model.ts';
import { useModel } from '../model/model-context.tsx';
import { draftsQuery } from '../rest/entry-query.ts';
import { newValues } from '../rest/form-values.ts';
import { areStored, isStored } from '../rest/is-stored.ts';
import { ask } from '../rest/request.ts';
import type { RestEntry } from '../rest/rest-entry.ts';
import { isSame } from '../rest/same-value.ts';
import { type EntryTarget, isNew } from './entry-target.ts';
import { type LoadedEntry, orNull, useReadEntry } from './load-entry.ts';
import type { Attempt, Saved } from './save-entry.ts';

/** `changed`: someone else has saved another version. `unclear`: what was read neither proves nor disproves that the entry exists. */
export type Outcome =
  | { readonly kind: 'saved'; readonly attempt: Attempt; readonly saved: Saved }
  | { readonly kind: 'not-saved' | 'changed' | 'unclear' };

/** In milliseconds: `Date` headers have full seconds, and the clocks of a proxy and of several servers differ slightly. */
const CLOCK_TOLERANCE = 5000;

/** How many entries are compared with a new one. */
const MAX_COMPARED = 10;

const TEXTS = new Set(['string', 'text', 'richtext', 'email', 'uid']);

/** The version that an ETag starts with. Only the server can read it, but equal ones are the same version. */
function versionOf(etag: string | undefined): string | undefined {
  return /"(?<version>[\w-]+)/u.exec(etag ?? '')?.groups?.['version'];
}

/** Returns a function that finds the outcome of the attempts, of which at most one was stored. It throws what reading throws. */
export function useFindOutcome(target: EntryTarget): (attempts: readonly Attempt[]) => Promise<Outcome> {
  const index = useModel();
  const may = useMay();
  const read = useReadEntry();
  const { type, locale } = target;
  const isCreated = isNew(target);
  const mayPreview = may(type.uid, 'preview');

  function sentAttributes({ data }: Attempt): Attributes {
    return Object.fromEntries(Object.entries(type.attributes).filter(([name]) => Object.hasOwn(data, name)));
  }

  function hasStored(attempt: Attempt, entry: LoadedEntry): boolean {
    const { values, data } = attempt;
    const sent = sentAttributes(attempt);
    const isHidden = (name: string): boolean => entry.values[name] === undefined;
    // Where a sent value can't be read, such as a password, nothing else may have changed either.
    const compared = Object.keys(sent).some(isHidden)
      ? Object.fromEntries(Object.entries(type.attributes).filter(([, attribute]) => isWritable(attribute)))
      : sent;
    return (
      isStored({ type: 'datetime' }, data['publishedAt'], entry.publishedAt, index) &&
      areStored(compared, values, entry.values, index, isCreated)
    );
  }

  async function updated(attempts: readonly Attempt[]): Promise<Outcome> {
    const entry = await orNull(target, read(target));
    if (!entry) return { kind: 'not-saved' };
    const version = versionOf(entry.etag);
    // If someone else has saved the same values since, nothing of the attempt is missing either.
    const attempt = attempts.findLast((one) => version !== versionOf(one.base) && hasStored(one, entry));
    if (attempt) return { kind: 'saved', attempt, saved: { id: entry.id, entry } };
    return { kind: version === versionOf(attempts.at(-1)?.base) ? 'not-saved' : 'changed' };
  }

  /** Entries created since, the oldest first, as those of this form are among the first ones. */
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

  /** Whether an attempt can be told from other new entries: one of its values is readable, and not the default. */
  function hasOwnValue(attempt: Attempt, entry: LoadedEntry): boolean {
    return Object.entries(newValues(sentAttributes(attempt))).some(
      ([name, unset]) => entry.values[name] !== undefined && !isSame(attempt.values[name], unset),
    );
  }

  /** Whether an entry shares none of several texts with an attempt. A single text may have been changed by a hook. */
  function isOther(attempt: Attempt, entry: LoadedEntry): boolean {
    const texts = Object.entries(sentAttributes(attempt)).filter(
      ([name, { type: kind }]) => TEXTS.has(kind) && typeof attempt.values[name] === 'string',
    );
    return (
      texts.length > 1 &&
      texts.every(([name, attribute]) => !isStored(attribute, attempt.values[name], entry.values[name], index))
    );
  }

  async function created(attempts: readonly Attempt[]): Promise<Outcome> {
    const since = attempts[0]?.since;
    const isVisible = mayPreview || attempts.every(({ data }) => data['publishedAt'] !== null);
    if (since === undefined || !isVisible) return { kind: 'unclear' };
    const entries = await createdSince(since);
    const [found, ...more] = entries.flatMap((entry) => {
      const attempt = attempts.findLast((one) => hasOwnValue(one, entry) && hasStored(one, entry));
      return attempt ? [{ attempt, saved: { id: entry.id } }] : [];
    });
    if (found && more.length === 0) return { kind: 'saved', ...found };
    const areOthers =
      entries.length < MAX_COMPARED && entries.every((entry) => attempts.every((attempt) => isOther(attempt, entry)));
    return { kind: areOthers ? 'not-saved' : 'unclear' };
  }

  return async (attempts) => {
    if (!isCreated) return await updated(attempts);
    try {
      return await created(attempts);
    } catch (error) {
      // Such as a role that may create entries, but not read them.
      if (error instanceof HttpError && error.status < 500) return { kind: 'unclear' };
      throw error;
    }
  };
}
