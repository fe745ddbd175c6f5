/** The `documentId` of an entry, which only responses in the v5 format contain. */
import { useQuery } from '@tanstack/react-query';
import { useMay } from '../app/session.ts';
import { type ContentType, resourceOf } from '../model/model.ts';
import { useModel } from '../model/model-context.tsx';
import { ask } from '../rest/request.ts';
import type { LoadedEntry } from './load-entry.ts';

interface Identified {
  readonly documentId?: string;
}

/** Undefined until it is read, and if entries have none. */
export function useDocumentId(type: ContentType, entry: LoadedEntry | undefined): string | undefined {
  const { documentIds } = useModel().model;
  const may = useMay();
  const { data } = useQuery({
    queryKey: ['document-id', type.uid, entry?.id],
    queryFn: async () => {
      const { data: found } = await ask<{ readonly data: Identified | readonly Identified[] | null }>({
        path: resourceOf(type),
        format: 'v5',
        query: {
          ...(type.kind === 'single' ? {} : { filters: { id: { $eq: entry?.id } } }),
          fields: ['documentId'],
          ...(type.draftAndPublish && may(type.uid, 'preview') && { status: 'draft' }),
          ...(type.localized && { locale: entry?.locale }),
        },
      });
      const [first] = [found ?? []].flat() as readonly Identified[];
      return first?.documentId ?? null;
    },
    enabled: documentIds && type.uid !== 'user' && entry !== undefined,
    staleTime: Infinity,
    retry: false,
  });
  return data ?? undefined;
}
