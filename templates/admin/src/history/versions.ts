/** The versions of an entry: their list, what they contain, and how the entry gets the content of one again. */
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMay } from '../app/session.ts';
import { MAX_COMPARED } from '../entry/differences.ts';
import type { Versions } from '../entry/entry-draft.ts';
import { type EntryTarget, localeQuery, pathOf } from '../entry/entry-target.ts';
import { type LoadedEntry, useCompleteEntry, useEntryQueries } from '../entry/load-entry.ts';
import { type ContentType, resourceOf } from '../model/model.ts';
import { useModel } from '../model/model-context.tsx';
import { draftsQuery, entryQuery } from '../rest/entry-query.ts';
import { type FormValues, formValues } from '../rest/form-values.ts';
import { forgetRows } from '../rest/relation-rows.ts';
import { ask, send } from '../rest/request.ts';
import type { RestEntry } from '../rest/rest-entry.ts';

export interface Version {
  readonly version: number;
  readonly action: string;
  readonly of?: number;
  readonly at: string;
  readonly by: { readonly kind: string; readonly name?: string };
}

interface Page {
  readonly data: readonly Version[];
  readonly meta: { readonly pagination: { readonly next: string | null } };
}

/** Whether the role may read the history of a type. */
export function useHasHistory(type: ContentType): boolean {
  const may = useMay();
  const read = type.kind === 'single' ? 'find' : 'findOne';
  const needed = ['history', read, ...(type.draftAndPublish ? ['preview'] : [])] as const;
  return type.history === true && needed.every((action) => may(type.uid, action));
}

/** What identifies the history of an entry: each save adds a version. */
function historyKey({ type, id, locale }: EntryTarget, entry: LoadedEntry): readonly unknown[] {
  return ['history', type.uid, id, locale, entry.etag];
}

export function useHistory(target: EntryTarget, entry: LoadedEntry) {
  return useInfiniteQuery({
    queryKey: historyKey(target, entry),
    queryFn: ({ pageParam }) =>
      ask<Page>({
        path: `${pathOf(target)}/history`,
        query: { ...localeQuery(target), pagination: { pageSize: 25, after: pageParam } },
      }),
    initialPageParam: '',
    getNextPageParam: ({ meta }: Page) => meta.pagination.next,
    gcTime: 0,
    refetchOnWindowFocus: false,
    retry: false,
  });
}

/** Without what says that an entry is not published: here, that makes no difference. */
function unmarked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unmarked);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([name]) => name !== 'isDraft');
  return Object.fromEntries(entries.map(([name, inner]) => [name, unmarked(inner)]));
}

/** A version, and the entry as it is stored now. */
export function useCompared(target: EntryTarget, entry: LoadedEntry, version: number) {
  const index = useModel();
  const may = useMay();
  const { type } = target;
  const query = {
    ...entryQuery(type, index, MAX_COMPARED),
    ...draftsQuery(type, may(type.uid, 'preview')),
    ...localeQuery(target),
  };
  const read = async (path: string): Promise<FormValues> => {
    const { data } = await ask<{ readonly data: RestEntry }>({ path, query });
    const values = formValues(type.attributes, data, undefined, { endpoint: resourceOf(type), id: entry.id }, index);
    return unmarked(values) as FormValues;
  };
  return useQuery({
    queryKey: [...historyKey(target, entry), version],
    queryFn: async (): Promise<Versions> => {
      const path = pathOf(target);
      const [published, draft] = await Promise.all([read(`${path}/history/${version}`), read(path)]);
      return { published, draft };
    },
    gcTime: 0,
    refetchOnWindowFocus: false,
    structuralSharing: false,
    retry: false,
  });
}

/** Returns a function that restores a version. It throws HttpError: 412 if someone else has saved since. */
export function useRestore(target: EntryTarget): (entry: LoadedEntry, version: number) => Promise<LoadedEntry> {
  const queries = useEntryQueries();
  const complete = useCompleteEntry();
  const client = useQueryClient();
  const { type, id } = target;
  return async ({ etag }, version) => {
    client.removeQueries({ queryKey: [resourceOf(type), 'getList'] });
    const answer = await send<{ readonly data: RestEntry }>({
      method: 'POST',
      path: `${pathOf(target)}/history/${version}/restore`,
      query: { ...queries(target).shown, ...localeQuery(target), missing: 'ignore' },
      ifMatch: etag,
    });
    forgetRows(client, resourceOf(type), id);
    return await complete(answer, target);
  };
}
