/** Reads files of the media library page by page. */
import { useInfiniteQuery } from '@tanstack/react-query';
import type { QueryObject } from '../rest/query-string.ts';
import { ask } from '../rest/request.ts';
import type { MediaFile } from './media-file.ts';

const PAGE_SIZE = 24;

/** File kind, such as `images`, as in `allowedTypes` → filter by MIME type. */
const KINDS: Readonly<Record<string, QueryObject>> = {
  images: { mime: { $startsWith: 'image/' } },
  videos: { mime: { $startsWith: 'video/' } },
  audios: { mime: { $startsWith: 'audio/' } },
  files: {
    $and: ['image/', 'video/', 'audio/'].map((start) => ({ $not: { mime: { $startsWith: start } } })),
  },
};

export const MEDIA_KINDS: readonly string[] = Object.keys(KINDS);

export interface MediaFilter {
  readonly word: string;
  /** Matches any of these kinds; empty: all. */
  readonly kinds: readonly string[];
  /** Undefined: everywhere. */
  readonly folder?: FolderFilter | undefined;
  /** Which a file has all of. */
  readonly tags?: readonly string[];
}

interface FolderFilter {
  /** 0: the files that are in none. */
  readonly id: number;
  /** Whether those in the folders below it are meant, too. */
  readonly nested: boolean;
}

function filtersOf({ word, kinds }: Pick<MediaFilter, 'word' | 'kinds'>): QueryObject | undefined {
  const named: QueryObject[] =
    word === ''
      ? []
      : [{ $or: ['name', 'alternativeText', 'caption'].map((name) => ({ [name]: { $containsi: word } })) }];
  const wanted =
    kinds.length === 0 || kinds.length === MEDIA_KINDS.length ? [] : [{ $or: kinds.map((kind) => KINDS[kind]) }];
  const all = [...named, ...wanted];
  return all.length === 0 ? undefined : { $and: all };
}

export const MEDIA_KEY = 'media';

export function useMediaSearch(filter: MediaFilter) {
  const { data, error, hasNextPage, fetchNextPage, isFetchNextPageError, refetch } = useInfiniteQuery({
    queryKey: [MEDIA_KEY, filter],
    queryFn: ({ pageParam }) =>
      ask<MediaFile[]>({
        path: filter.folder ? `upload/folders/${filter.folder.id}/files` : 'upload/files',
        query: {
          ...(filter.folder?.nested && { nested: true }),
          ...(filter.tags && filter.tags.length > 0 && { tag: filter.tags }),
          filters: filtersOf(filter),
          sort: 'id:desc',
          pagination: { start: pageParam, limit: PAGE_SIZE, withCount: false },
        },
      }),
    initialPageParam: 0,
    getNextPageParam: (last, _pages, start) => (last.length < PAGE_SIZE ? undefined : start + PAGE_SIZE),
    retry: false,
  });
  return {
    files: data?.pages.flat() ?? [],
    hasMore: hasNextPage,
    readMore: () => void fetchNextPage(),
    /** Whether nothing has been read yet. */
    isEmpty: data === undefined,
    error,
    retry: () => void (isFetchNextPageError ? fetchNextPage() : refetch()),
  };
}
