/** Reads an entry for its form: one request, and a second one if it has long relation lists. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { HttpError } from 'react-admin';
import { may, useSession } from '../app/session.ts';
import { resourceOf } from '../model/model.ts';
import { type ModelIndex, useModel } from '../model/model-context.tsx';
import { countQuery, draftsQuery, entryQuery, PAGE } from '../rest/entry-query.ts';
import { type FormValues, formValues } from '../rest/form-values.ts';
import type { QueryObject } from '../rest/query-string.ts';
import { type ApiAnswer, ask, send } from '../rest/request.ts';
import { flat, type OtherLocale, type RestEntry } from '../rest/rest-entry.ts';
import { type EntryTarget, localeQuery, pathOf } from './entry-target.ts';

export interface LoadedEntry {
  readonly id: number;
  readonly values: FormValues;
  readonly etag: string | undefined;
  readonly otherLocales: readonly OtherLocale[];
  readonly locale: string | undefined;
  readonly createdAt: string | undefined;
  readonly updatedAt: string | undefined;
  /** Undefined for types without drafts. */
  readonly publishedAt: string | null | undefined;
}

export type EntryAnswer = ApiAnswer<{ readonly data: RestEntry } | RestEntry>;

/** Whether a list in the response fills its page, so that more entries may follow. */
function hasFullList(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.length >= PAGE || value.some(hasFullList);
  return Object.values(value).some(hasFullList);
}

/** Returns the queries for reading an entry and for counting its relations. */
export function useEntryQueries() {
  const index = useModel();
  const session = useSession();
  return (target: EntryTarget): { readonly shown: QueryObject; readonly counts: QueryObject | undefined } => {
    const { type } = target;
    const shared = { ...draftsQuery(type, may(session, type.uid, 'preview')), ...localeQuery(target) };
    const counts = countQuery(type, index);
    return { shown: { ...entryQuery(type, index), ...shared }, counts: counts && { ...counts, ...shared } };
  };
}

function entryIn(body: { readonly data: RestEntry } | RestEntry): RestEntry {
  return 'data' in body ? body.data : body;
}

function loaded(
  answer: EntryAnswer,
  counts: RestEntry | undefined,
  target: EntryTarget,
  index: ModelIndex,
): LoadedEntry {
  const { type, id, locale } = target;
  const entry = entryIn(answer.body);
  const { createdAt, updatedAt, publishedAt, locale: own } = flat(entry) as Partial<Record<string, string>>;
  return {
    id: entry.id,
    values: formValues(type.attributes, entry, counts, { endpoint: resourceOf(type), id, locale }, index),
    etag: answer.etag,
    otherLocales: entry.meta?.availableLocales ?? [],
    locale: own,
    createdAt,
    updatedAt,
    publishedAt,
  };
}

/** Converts a response to form values; requests the totals of long lists if necessary. */
export function useCompleteEntry(): (answer: EntryAnswer, target: EntryTarget) => Promise<LoadedEntry> {
  const index = useModel();
  const queries = useEntryQueries();
  return async (answer, target) => {
    const { counts } = queries(target);
    if (!counts || !hasFullList(flat(entryIn(answer.body)))) return loaded(answer, undefined, target, index);
    const counted = await ask<{ readonly data: RestEntry } | RestEntry>({ path: pathOf(target), query: counts });
    return loaded(answer, entryIn(counted), target, index);
  };
}

function entryKey({ type, id, locale }: EntryTarget): readonly unknown[] {
  return ['entry', type.uid, id, type.kind === 'single' ? locale : undefined];
}

/** Returns a function that reads an entry. It throws HttpError. */
export function useReadEntry(): (target: EntryTarget) => Promise<LoadedEntry> {
  const queries = useEntryQueries();
  const complete = useCompleteEntry();
  return async (target) => await complete(await send({ path: pathOf(target), query: queries(target).shown }), target);
}

/** Null for a single type without an entry, whatever `read` throws otherwise. */
export async function orNull<T>({ type }: EntryTarget, read: Promise<T>): Promise<T | null> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof HttpError && error.status === 404 && type.kind === 'single') return null;
    throw error;
  }
}

/** The data is `null` for a single type without an entry. */
export function useEntry(target: EntryTarget, isWanted = true) {
  const read = useReadEntry();
  return useQuery({
    queryKey: entryKey(target),
    queryFn: () => orNull(target, read(target)),
    enabled: isWanted,
    // Never refetch in the background: it would replace the data under the user's edits.
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
    // The form compares versions by identity.
    structuralSharing: false,
    retry: false,
  });
}

/** Returns a function that replaces what was read by what was saved, for screens that are built anew, as in another language. */
export function useRememberEntry(): (target: EntryTarget, entry: LoadedEntry) => void {
  const client = useQueryClient();
  return (target, entry) => void client.setQueryData(entryKey(target), entry);
}
