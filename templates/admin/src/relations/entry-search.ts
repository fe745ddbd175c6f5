/** Searches entries of a type by title, page by page. */
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { may, useSession } from '../app/session.ts';
import { attributeType } from '../../../runtime/src/contract/attribute-types/scalar-type.ts';
import { type ContentType, isScalar, resourceOf } from '../model/model.ts';
import { draftsQuery } from '../rest/entry-query.ts';
import type { QueryObject } from '../rest/query-string.ts';
import { ask } from '../rest/request.ts';
import { refFields, refOf, type RestEntry } from '../rest/rest-entry.ts';
import type { EntryRef } from './entry-ref.ts';

const PAGE_SIZE = 20;

/** Debounce interval, in milliseconds. */
const PAUSE = 200;

interface Page {
  readonly entries: readonly EntryRef[];
  readonly next: number | undefined;
}

function entriesOf(answer: { readonly data: readonly RestEntry[] } | readonly RestEntry[]): readonly RestEntry[] {
  return 'data' in answer ? answer.data : answer;
}

/** Filters by substring of the title, or by equality if the title is not text. */
function filtersFor({ mainField, attributes }: ContentType, word: string): QueryObject {
  if (word === '') return {};
  const title = attributes[mainField];
  const isText = title && isScalar(title) && attributeType(title.type).operators === 'text';
  return { filters: { [mainField]: { [isText ? '$containsi' : '$eq']: word } } };
}

function containing(entries: readonly EntryRef[], word: string): readonly EntryRef[] {
  return entries.filter(({ title }) => title.toLowerCase().includes(word.toLowerCase()));
}

async function readPage(type: ContentType, word: string, page: number, more: QueryObject): Promise<Page> {
  // Reads one entry more than a page to detect whether another page follows, without counting.
  const answer = await ask<{ data: RestEntry[] } | RestEntry[]>({
    path: resourceOf(type),
    query: {
      fields: refFields(type),
      ...filtersFor(type, word),
      ...more,
      sort: type.mainField,
      pagination: { start: page * PAGE_SIZE, limit: PAGE_SIZE + 1, withCount: false },
    },
  });
  const entries = entriesOf(answer);
  return {
    entries: entries.slice(0, PAGE_SIZE).map((entry) => refOf(entry, type)),
    next: entries.length > PAGE_SIZE ? page + 1 : undefined,
  };
}

function useLater(value: string): string {
  const [later, setLater] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setLater(value), PAUSE);
    return () => clearTimeout(timer);
  }, [value]);
  return later;
}

export interface EntrySearch {
  /** While a search is running, those of the previous one that contain the word: they stay where they are clicked. */
  readonly entries: readonly EntryRef[];
  readonly isLoading: boolean;
  /** Whether the entries are those for the word, and not for what was typed before. */
  readonly isCurrent: boolean;
  readonly error: Error | null;
  readonly hasMore: boolean;
  readonly readMore: () => void;
}

export function useEntrySearch(type: ContentType, word: string, isOpen: boolean, locale?: string): EntrySearch {
  const session = useSession();
  const asked = useLater(word.trim());
  const more = {
    ...draftsQuery(type, may(session, type.uid, 'preview')),
    ...(type.localized && locale !== undefined && { locale }),
  };
  const { data, error, isFetching, isPlaceholderData, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['entry-search', type.uid, asked, locale],
    queryFn: ({ pageParam }) => readPage(type, asked, pageParam, more),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next,
    enabled: isOpen,
    staleTime: 5000,
    placeholderData: keepPreviousData,
  });
  const found = data?.pages.flatMap(({ entries }) => entries) ?? [];
  const isCurrent = asked === word.trim() && !isPlaceholderData;
  return {
    entries: isCurrent ? found : containing(found, word.trim()),
    isLoading: isFetching,
    isCurrent: isCurrent && !isFetching,
    error,
    hasMore: hasNextPage,
    readMore: () => void fetchNextPage(),
  };
}

/** Returns a function that reads an entry by id. */
export function useReadEntry(): (type: ContentType, id: number) => Promise<EntryRef | undefined> {
  const session = useSession();
  return async (type, id) => {
    const query = {
      fields: refFields(type),
      filters: { id: { $eq: id } },
      ...draftsQuery(type, may(session, type.uid, 'preview')),
      ...(type.localized && { locale: 'all' }),
    };
    const [entry] = entriesOf(await ask<{ data: RestEntry[] } | RestEntry[]>({ path: resourceOf(type), query }));
    return entry && refOf(entry, type);
  };
}
