/** Who has created an entry, and who has changed it last: the columns of `createdBy` and `updatedBy`. */
import type { ContentType } from '../contract/content-type.ts';
import type { Caller } from '../contract/policy/caller.ts';
import type { Columns } from './columns.ts';

type CreatorField = 'createdBy' | 'updatedBy';

/** The column of the field; undefined if the type does not have it. */
export function creatorColumn({ attributes }: Pick<ContentType, 'attributes'>, name: CreatorField): string | undefined {
  const attribute = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
  return attribute?.type === 'relation' && attribute.storage.kind === 'foreignKey'
    ? attribute.storage.column
    : undefined;
}

/**
 * Sets the fields to the user who writes: null for API tokens and callers without an account. The server's own code, which also publishes what
 * somebody has scheduled, changes no user that is there.
 */
export function setCreators(
  columns: Columns,
  type: ContentType,
  { userId, kind }: Pick<Caller, 'userId' | 'kind'>,
  names: readonly CreatorField[],
): Columns {
  if (kind === 'server') return columns;
  for (const name of names) {
    const column = creatorColumn(type, name);
    if (column !== undefined) columns.set(column, userId ?? null);
  }
  return columns;
}
