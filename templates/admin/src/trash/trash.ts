/** Deleted entries that can be restored: `/api/articles/trash`. */
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useMay } from '../app/session.ts';
import { type ContentType, resourceOf } from '../model/model.ts';
import { ask } from '../rest/request.ts';

export interface Deletion {
  readonly key: number;
  readonly id: number;
  readonly title?: string;
  readonly locales?: readonly string[];
  readonly deletedAt: string;
  /** It can be restored until then. */
  readonly until: string;
}

/** Deletions in one answer of the server. */
const PAGE = 100;

export function useHasTrash(type: ContentType): boolean {
  return useMay()(type.uid, 'delete') && type.trash !== undefined;
}

export function useTrash(type: ContentType) {
  return useInfiniteQuery({
    queryKey: ['trash', type.uid],
    queryFn: async ({ pageParam }) =>
      (
        await ask<{ readonly data: Deletion[] }>({
          path: `${resourceOf(type)}/trash`,
          query: pageParam === undefined ? {} : { before: pageParam },
        })
      ).data,
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (last) => (last.length < PAGE ? undefined : last.at(-1)?.key),
    gcTime: 0,
    retry: false,
  });
}

/** Returns a function that restores an entry. It throws HttpError with the server's message, and LostResponseError. */
export function useRestore(type: ContentType): (deletion: Deletion) => Promise<void> {
  const client = useQueryClient();
  return async ({ id }) => {
    const path = type.kind === 'single' ? resourceOf(type) : `${resourceOf(type)}/${id}`;
    try {
      await ask({ method: 'POST', path: `${path}/actions/restore` });
    } finally {
      // Lists and relations of any type may show it again.
      await client.invalidateQueries();
    }
  };
}
