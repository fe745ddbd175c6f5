/** Deleted entries that can be restored: `/api/articles/trash`. */
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslate } from 'react-admin';
import { useMay } from '../app/session.ts';
import { type ContentType, pluralOf, resourceOf } from '../model/model.ts';
import { useModel } from '../model/model-context.tsx';
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

/** What is deleted of a type, or of files. */
export interface Trash {
  /** Its list is below, at `trash`. */
  readonly resource: string;
  readonly isSingle: boolean;
  readonly name: string;
  /** For how many days it is kept. */
  readonly days: number;
  readonly attributes: ContentType['attributes'];
}

/** The trash of a type, if it has one and the role may restore its entries. */
export function useTypeTrash(type: ContentType): Trash | undefined {
  const may = useMay();
  const { uid, trash, attributes, kind } = type;
  if (trash === undefined || !may(uid, 'delete')) return undefined;
  return { resource: resourceOf(type), isSingle: kind === 'single', name: pluralOf(type), days: trash, attributes };
}

/** The trash of files, if there is one and the role may restore them. */
export function useFileTrash(): Trash | undefined {
  const may = useMay();
  const translate = useTranslate();
  const days = useModel().model.upload?.trash;
  if (days === undefined || !may('upload', 'destroy')) return undefined;
  return { resource: 'upload/files', isSingle: false, name: translate('media.title'), days, attributes: {} };
}

export function useDeletions({ resource }: Trash) {
  return useInfiniteQuery({
    queryKey: ['trash', resource],
    queryFn: async ({ pageParam }) =>
      (
        await ask<{ readonly data: Deletion[] }>({
          path: `${resource}/trash`,
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
export function useRestore({ resource, isSingle }: Trash): (deletion: Deletion) => Promise<void> {
  const client = useQueryClient();
  return async ({ id }) => {
    const path = isSingle ? resource : `${resource}/${id}`;
    try {
      await ask({ method: 'POST', path: `${path}/actions/restore` });
    } finally {
      // Lists and relations of any type may show it again.
      await client.invalidateQueries();
    }
  };
}
