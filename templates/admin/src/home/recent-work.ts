/** The newest entries of the types that the role may change: a request for each type, whatever the number of entries. */
import { useQuery } from '@tanstack/react-query';
import { useMay } from '../app/session.ts';
import { type ContentType, resourceOf } from '../model/model.ts';
import { useModel } from '../model/model-context.tsx';
import { useRecentTypes } from '../palette/recent-types.ts';
import { draftsQuery } from '../rest/entry-query.ts';
import { stateQuery } from '../rest/entry-state.ts';
import { inTurns } from '../rest/in-turns.ts';
import { changingAction } from '../rest/permitted-entries.ts';
import type { QueryObject } from '../rest/query-string.ts';
import { ask } from '../rest/request.ts';
import { flat, refFields, refOf, type RestEntry } from '../rest/rest-entry.ts';

const KINDS = ['recent', 'drafts', 'modified'] as const;

export type Kind = (typeof KINDS)[number];

export interface WorkItem {
  readonly type: ContentType;
  readonly id: number | string;
  readonly title: string;
  readonly isDraft: boolean;
  readonly updatedAt: string;
}

interface Work {
  /** The latest of all types, newest first. */
  readonly items: readonly WorkItem[];
  /** The types that could not be read. */
  readonly failed: readonly ContentType[];
}

/** The most types that are asked for. */
export const MAX_TYPES = 12;
/** How many entries of a type are read. */
const PER_TYPE = 8;
/** How many are shown. */
const MAX_ITEMS = 12;

type May = (uid: string, action: string) => boolean;

function isAbout(kind: Kind, { uid, kind: typeKind, draftAndPublish }: ContentType, may: May): boolean {
  const mayChange = may(uid, 'update') || (draftAndPublish && may(uid, 'draft'));
  if (typeKind !== 'collection' || !mayChange || !may(uid, 'find')) return false;
  return kind === 'recent' || (draftAndPublish && may(uid, 'preview'));
}

/** The types of a kind of work: those opened last come first, as only some are asked for. */
function useTypesOf(): (kind: Kind) => readonly ContentType[] {
  const { model } = useModel();
  const may = useMay();
  const recent = useRecentTypes();
  const placeOf = ({ uid }: ContentType): number => (recent.includes(uid) ? recent.indexOf(uid) : recent.length);
  return (kind) =>
    model.types
      .filter((type) => isAbout(kind, type, may))
      .map((type, at) => ({ type, at }))
      .sort((one, other) => placeOf(one.type) - placeOf(other.type) || one.at - other.at)
      .map(({ type }) => type);
}

/** The kinds of work that there can be. `isCut`: of more types than are asked for. */
export function useKinds(): readonly { readonly kind: Kind; readonly isCut: boolean }[] {
  const typesOf = useTypesOf();
  return KINDS.map((kind) => ({ kind, count: typesOf(kind).length }))
    .filter(({ count }) => count > 0)
    .map(({ kind, count }) => ({ kind, isCut: count > MAX_TYPES }));
}

function queryFor(kind: Kind, type: ContentType, may: May): QueryObject {
  const changing = changingAction(may, type);
  return {
    fields: [...refFields(type), 'updatedAt'],
    sort: 'updatedAt:desc',
    pagination: { start: 0, limit: PER_TYPE, withCount: false },
    ...draftsQuery(type, may(type.uid, 'preview')),
    ...(kind === 'drafts' && stateQuery('draft')),
    ...(kind === 'modified' && stateQuery('modified')),
    // Where a rule says which entries the role may change, the others are not its work.
    ...(type.rules?.where[changing] && { permitted: changing }),
    ...(type.localized && { locale: 'all' }),
  };
}

async function readWork(kind: Kind, types: readonly ContentType[], may: May): Promise<Work> {
  const found = await inTurns(types, async (type) => {
    const { data } = await ask<{ readonly data: readonly RestEntry[] }>({
      path: resourceOf(type),
      query: queryFor(kind, type, may),
      isUnlisted: true,
    });
    return data.map((entry): WorkItem => {
      const { id, title, isDraft = false } = refOf(entry, type);
      return { type, id, title, isDraft, updatedAt: String(flat(entry)['updatedAt']) };
    });
  });
  const items = found.flatMap((list) => list ?? []);
  return {
    items: items.sort((one, other) => (one.updatedAt < other.updatedAt ? 1 : -1)).slice(0, MAX_ITEMS),
    failed: types.filter((_type, at) => found[at] === undefined),
  };
}

export function useWork(kind: Kind) {
  const may = useMay();
  const types = useTypesOf()(kind).slice(0, MAX_TYPES);
  return useQuery({
    queryKey: ['home', kind, types.map(({ uid }) => uid)],
    queryFn: () => readWork(kind, types, may),
    // What was just saved is here after the way back.
    staleTime: 0,
    retry: false,
  });
}
