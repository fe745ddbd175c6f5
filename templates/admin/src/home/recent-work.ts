/** The newest entries of the types that the role may change or see: a request for each type, whatever the number of entries. */
import { useQuery } from '@tanstack/react-query';
import { useMay, useSession } from '../app/session.ts';
import { type ContentType, resourceOf } from '../model/model.ts';
import { useModel } from '../model/model-context.tsx';
import { useRecentTypes } from '../palette/recent-types.ts';
import { draftsQuery } from '../rest/entry-query.ts';
import { stateQuery } from '../rest/entry-state.ts';
import { inTurns } from '../rest/in-turns.ts';
import { changingAction } from '../rest/permitted-entries.ts';
import type { QueryObject } from '../rest/query-string.ts';
import { ask } from '../rest/request.ts';
import { flat, populatedOne, refFields, refOf, type RestEntry } from '../rest/rest-entry.ts';

const KINDS = ['recent', 'drafts', 'modified', 'published'] as const;

export type Kind = (typeof KINDS)[number];

/** By whom. */
export const PEOPLE = ['all', 'me', 'others'] as const;

export type People = (typeof PEOPLE)[number];

/** What is listed. */
export interface Choice {
  readonly kind: Kind;
  readonly people: People;
}

export interface WorkItem {
  readonly type: ContentType;
  readonly id: number | string;
  readonly title: string;
  readonly isDraft: boolean;
  /** When it was edited last, or published. */
  readonly time: string;
  /** Who did that, as far as the role may know. */
  readonly by?: string;
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

/** The relation to who made a draft, or edited or published an entry. */
function creatorField(kind: Kind): string {
  return kind === 'drafts' ? 'createdBy' : 'updatedBy';
}

function timeField(kind: Kind): string {
  return kind === 'published' ? 'publishedAt' : 'updatedAt';
}

function isAbout({ kind, people }: Choice, type: ContentType, may: May): boolean {
  const { uid, draftAndPublish } = type;
  if (type.kind !== 'collection' || !may(uid, 'find')) return false;
  // It is there only for roles that may see users.
  if (people !== 'all' && !Object.hasOwn(type.attributes, creatorField(kind))) return false;
  if (kind === 'published') return draftAndPublish;
  if (!may(uid, 'update') && !(draftAndPublish && may(uid, 'draft'))) return false;
  return kind === 'recent' || (draftAndPublish && may(uid, 'preview'));
}

/** The types of a kind of work: those opened last come first, as only some are asked for. */
function useTypesOf(): (choice: Choice) => readonly ContentType[] {
  const { model } = useModel();
  const may = useMay();
  const recent = useRecentTypes();
  const placeOf = ({ uid }: ContentType): number => (recent.includes(uid) ? recent.indexOf(uid) : recent.length);
  return (choice) =>
    model.types
      .filter((type) => isAbout(choice, type, may))
      .map((type, at) => ({ type, at }))
      .sort((one, other) => placeOf(one.type) - placeOf(other.type) || one.at - other.at)
      .map(({ type }) => type);
}

/** The kinds of work that there can be, and by whom. */
export function useKinds(): readonly { readonly kind: Kind; readonly people: readonly People[] }[] {
  const typesOf = useTypesOf();
  return KINDS.map((kind) => ({
    kind,
    people: PEOPLE.filter((people) => typesOf({ kind, people }).length > 0),
  })).filter(({ people }) => people.length > 0);
}

function queryFor({ kind, people }: Choice, type: ContentType, may: May, me: number): QueryObject {
  const changing = changingAction(may, type);
  const creator = creatorField(kind);
  return {
    fields: [...new Set([...refFields(type), timeField(kind)])],
    sort: `${timeField(kind)}:desc`,
    pagination: { start: 0, limit: PER_TYPE, withCount: false },
    ...(Object.hasOwn(type.attributes, creator) && { populate: { [creator]: { fields: ['username'] } } }),
    ...(people !== 'all' && { filters: { [creator]: { id: { [people === 'me' ? '$eq' : '$ne']: me } } } }),
    ...(kind !== 'published' && draftsQuery(type, may(type.uid, 'preview'))),
    ...(kind === 'drafts' && stateQuery('draft')),
    ...(kind === 'modified' && stateQuery('modified')),
    // Where a rule says which entries the role may change, the others are not its work.
    ...(kind !== 'published' && type.rules?.where[changing] && { permitted: changing }),
    ...(type.localized && { locale: 'all' }),
  };
}

async function readWork(choice: Choice, types: readonly ContentType[], may: May, me: number): Promise<Work> {
  const found = await inTurns(types, async (type) => {
    const { data } = await ask<{ readonly data: readonly RestEntry[] }>({
      path: resourceOf(type),
      query: queryFor(choice, type, may, me),
      isUnlisted: true,
    });
    return data.map((entry): WorkItem => {
      const { id, title, isDraft = false } = refOf(entry, type);
      const values = flat(entry);
      const creator = populatedOne(values[creatorField(choice.kind)]);
      return {
        type,
        id,
        title,
        isDraft,
        time: String(values[timeField(choice.kind)]),
        ...(creator && { by: String(flat(creator)['username']) }),
      };
    });
  });
  const items = found.flatMap((list) => list ?? []);
  return {
    items: items.sort((one, other) => (one.time < other.time ? 1 : -1)).slice(0, MAX_ITEMS),
    failed: types.filter((_type, at) => found[at] === undefined),
  };
}

/** `isCut`: of more types than are asked for. */
export function useWork(choice: Choice) {
  const may = useMay();
  const { user } = useSession();
  const all = useTypesOf()(choice);
  const types = all.slice(0, MAX_TYPES);
  const { data } = useQuery({
    queryKey: ['home', choice.kind, choice.people, types.map(({ uid }) => uid)],
    queryFn: () => readWork(choice, types, may, user.id),
    // What was just saved is here after the way back.
    staleTime: 0,
    retry: false,
  });
  return { work: data, isCut: all.length > MAX_TYPES };
}
