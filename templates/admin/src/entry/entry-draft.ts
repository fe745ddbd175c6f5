/** The draft of an entry beside its published version: whether it differs, and how it goes back to it. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMay } from '../app/session.ts';
import { type ContentType, resourceOf } from '../model/model.ts';
import { useModel } from '../model/model-context.tsx';
import { entryQuery } from '../rest/entry-query.ts';
import { type EntryState, stateOf } from '../rest/entry-state.ts';
import { type FormValues, formValues } from '../rest/form-values.ts';
import type { QueryObject } from '../rest/query-string.ts';
import { forgetRows } from '../rest/relation-rows.ts';
import { ask, send } from '../rest/request.ts';
import { flat, type RestEntry } from '../rest/rest-entry.ts';
import { MAX_COMPARED } from './differences.ts';
import { type EntryTarget, localeQuery, pathOf } from './entry-target.ts';
import { type LoadedEntry, useCompleteEntry, useEntryQueries } from './load-entry.ts';

/** Whether the role works with drafts of a type: without `preview`, it only sees what is published. */
export function useHasDraft(type: ContentType): boolean {
  return useMay()(type.uid, 'preview') && type.draftAndPublish;
}

type Version = 'live' | 'preview';

async function readVersion(target: EntryTarget, version: Version, query: QueryObject): Promise<RestEntry> {
  return (
    await ask<{ readonly data: RestEntry }>({
      path: pathOf(target),
      query: { ...query, ...localeQuery(target), publicationState: version },
    })
  ).data;
}

/** What identifies the version of an entry that a query is about. */
function versionKey({ type, id, locale }: EntryTarget, entry: LoadedEntry | undefined): readonly unknown[] {
  return [type.uid, id, locale, entry?.etag];
}

/** The state of an entry. Until it is read whether a draft differs, as it was before. */
export function useEntryState(target: EntryTarget, entry: LoadedEntry | undefined): EntryState {
  const hasDraft = useHasDraft(target.type);
  const { data: isModified = false } = useQuery({
    queryKey: ['is-modified', ...versionKey(target, entry)],
    queryFn: async () => {
      const published = await readVersion(target, 'live', { fields: ['updatedAt'] });
      return flat(published)['updatedAt'] !== entry?.updatedAt;
    },
    enabled: hasDraft && typeof entry?.publishedAt === 'string',
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    placeholderData: (before) => before,
    retry: false,
  });
  return stateOf(entry?.publishedAt, isModified);
}

/** Both versions of an entry, as far as they are compared. */
export interface Versions {
  readonly published: FormValues;
  readonly draft: FormValues;
}

export function useVersions(target: EntryTarget, entry: LoadedEntry) {
  const index = useModel();
  const { type } = target;
  const read = async (version: Version): Promise<FormValues> => {
    const found = await readVersion(target, version, entryQuery(type, index, MAX_COMPARED));
    return formValues(type.attributes, found, undefined, { endpoint: resourceOf(type), id: entry.id }, index);
  };
  return useQuery({
    queryKey: ['versions', ...versionKey(target, entry)],
    queryFn: async (): Promise<Versions> => {
      const [published, draft] = await Promise.all([read('live'), read('preview')]);
      return { published, draft };
    },
    gcTime: 0,
    refetchOnWindowFocus: false,
    structuralSharing: false,
    retry: false,
  });
}

/** Returns a function that replaces the draft by what is published. It throws HttpError: 412 if someone else has saved since. */
export function useDiscardDraft(target: EntryTarget): (entry: LoadedEntry) => Promise<LoadedEntry> {
  const queries = useEntryQueries();
  const complete = useCompleteEntry();
  const client = useQueryClient();
  const { type, id } = target;
  return async ({ etag }) => {
    client.removeQueries({ queryKey: [resourceOf(type), 'getList'] });
    const answer = await send<{ readonly data: RestEntry }>({
      method: 'POST',
      path: `${pathOf(target)}/actions/discard-draft`,
      query: { ...queries(target).shown, ...localeQuery(target) },
      ifMatch: etag,
    });
    forgetRows(client, resourceOf(type), id);
    return await complete(answer, target);
  };
}
