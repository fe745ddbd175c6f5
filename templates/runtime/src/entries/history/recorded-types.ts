/** The types whose versions are kept, by the tables whose rows they are. */
import { type ContentType, type ContentTypes, isInverseStorage } from '../../contract/content-type.ts';
import { publishedTypes } from '../../contract/states.ts';

/** Which of the two states of an entry a version is of: the entry itself, or its draft; or as visitors see it. */
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

/** Whether the entries of a type without drafts have other relations in the published state: those to types with drafts. */
function hasOtherRelations({ types }: ContentTypes, { attributes }: ContentType): boolean {
  return Object.values(attributes).some((attribute) => {
    if (attribute.type !== 'relation') return false;
    const { storage, target } = attribute;
    return 'published' in storage || (isInverseStorage(storage) && types[target ?? '']?.draftAndPublish === true);
  });
}

/** Whether what visitors see of the entries is kept apart. */
export function hasStates(types: ContentTypes, { uid }: Pick<ContentType, 'uid'>): boolean {
  const type = types.types[uid];
  return type !== undefined && (type.published !== undefined || hasOtherRelations(types, type));
}

/** The states of a type whose versions are kept. */
export function statesOf(types: ContentTypes, type: ContentType): readonly RecordedType[] {
  const published = hasStates(types, type) ? publishedTypes(types).types[type.uid] : undefined;
  return [{ type, state: STATES.entry }, ...(published ? [{ type: published, state: STATES.published }] : [])];
}

export function recordedTables(types: ContentTypes): ReadonlyMap<string, readonly RecordedType[]> {
  const tables = new Map<string, RecordedType[]>();
  for (const type of Object.values(types.types).filter(hasHistory)) {
    for (const one of statesOf(types, type)) {
      const { table } = one.type;
      tables.set(table, [...(tables.get(table) ?? []), one]);
    }
  }
  return tables;
}
