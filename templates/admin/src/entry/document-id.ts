/** The `documentId` of an entry, which only responses in the v5 format contain. */
import { queryOptions, useQueries, useQuery } from '@tanstack/react-query';
import { useMay } from '../app/session.ts';
import { type ContentType, resourceOf } from '../model/model.ts';
import { useModel } from '../model/model-context.tsx';
import type { DocumentKey, EntryName } from '../request/v5-request.ts';
import { ask } from '../rest/request.ts';
import type { LoadedEntry } from './load-entry.ts';

/** Returns a function that creates the query for the key of an entry; null if there is no such entry. */
function useDocumentQuery() {
  const { documentIds, format } = useModel().model;
  const may = useMay();
  return (type: ContentType, id: number | string | undefined, locale: string | undefined) =>
    queryOptions({
      queryKey: ['document-id', type.uid, String(id)],
      queryFn: async () => {
        const { data: found } = await ask<{ readonly data: DocumentKey | readonly DocumentKey[] | null }>({
          path: resourceOf(type),
          format: 'v5',
          query: {
            ...(type.kind === 'single' ? {} : { filters: { id: { $eq: id } } }),
            fields: ['documentId', ...(type.localized ? ['locale'] : [])],
            ...(type.draftAndPublish && may(type.uid, 'preview') && { status: 'draft' }),
            ...(type.localized && { locale: locale ?? '*' }),
          },
          // Clients of the v5 format know document ids anyway.
          isUnlisted: format === 'v5',
        });
        const [first] = [found ?? []].flat() as readonly DocumentKey[];
        return first ?? null;
      },
      enabled: documentIds && type.uid !== 'user' && id !== undefined,
      staleTime: Infinity,
      retry: false,
    });
}

/** Undefined until it is read, and if entries have none. */
export function useDocumentId(type: ContentType, entry: LoadedEntry | undefined): string | undefined {
  const { data } = useQuery(useDocumentQuery()(type, entry?.id, entry?.locale));
  return data?.documentId;
}

/** What stands for the key of an entry that can't be read, such as a deleted one. */
function placeholder({ type, id }: EntryName): DocumentKey {
  const entry = `${type.uid}_${id}`.replaceAll('-', '_').toUpperCase();
  return { documentId: `DOCUMENT_ID_OF_${entry}`, ...(type.localized && { locale: `LOCALE_OF_${entry}` }) };
}

/** Reads the keys of different entries of collection types. Returns a function that gives placeholders for unknown ones. */
export function useDocumentKeys(names: readonly EntryName[]): (name: EntryName) => DocumentKey {
  const queryOf = useDocumentQuery();
  const found = useQueries({ queries: names.map(({ type, id }) => queryOf(type, id, undefined)) });
  return (name) => {
    const at = names.findIndex(({ type, id }) => type === name.type && id === name.id);
    return found[at]?.data ?? placeholder(name);
  };
}
