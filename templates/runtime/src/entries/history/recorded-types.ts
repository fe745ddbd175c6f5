/** The types whose versions are kept, by the tables whose rows they are. */
import type { ContentType, ContentTypes } from '../../contract/content-type.ts';
import { publishedTypes } from '../../contract/states.ts';

/** Which of the two states of an entry a version is of: the entry itself, or its draft; or what is published beside that. */
export const STATES = { entry: 0, published: 1 } as const;

export type State = (typeof STATES)[keyof typeof STATES];

/** A type in one of its states. */
export interface RecordedType {
  readonly type: ContentType;
  readonly state: State;
}

export function hasHistory({ history }: Pick<ContentType, 'history'>): boolean {
  return history !== undefined;
}

/** The states of a type that have tables of their own. */
export function statesOf(types: ContentTypes, type: ContentType): readonly RecordedType[] {
  const published = type.published && publishedTypes(types).types[type.uid];
  return [{ type, state: STATES.entry }, ...(published ? [{ type: published, state: STATES.published }] : [])];
}

export function recordedTables(types: ContentTypes): ReadonlyMap<string, RecordedType> {
  const recorded = Object.values(types.types).filter(hasHistory);
  return new Map(recorded.flatMap((type) => statesOf(types, type).map((one) => [one.type.table, one])));
}
