/** Entries that would lose a relation that they must have, as another entry changes it from its side. */
import { type ContentType, isInverseStorage } from '../../contract/content-type.ts';
import type { Issue } from '../../contract/errors.ts';
import type { Transaction } from '../../database/write-plan.ts';
import { sql } from '../../database/sql.ts';
import type { Takeover } from './foreign-keys.ts';
import type { ChangedRelation } from './relation-parts.ts';
import { asNamed } from './relation-change.ts';
import { movedBy } from './side-changes.ts';

interface Changing {
  readonly tx: Transaction;
  readonly type: ContentType;
  readonly owner: number | undefined;
}

/** Whether entries of the type must have the relation. Lists may be empty. */
export function isRequired({ attributes }: ContentType, name: string): boolean {
  const attribute = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
  return attribute?.type === 'relation' && attribute.required === true && !attribute.many;
}

/** Whether one of the entries must be complete: drafts may lack any value. */
async function hasComplete(tx: Transaction, type: ContentType, ids: readonly number[]): Promise<boolean> {
  if (ids.length === 0 || !type.draftAndPublish) return ids.length > 0;
  const { dialect } = tx;
  const isOne = dialect.isOneOf(sql`t.id`, ids);
  const rows = sql`SELECT t.id FROM ${dialect.id(type.table)} AS t WHERE ${isOne} AND t.published_at IS NOT NULL LIMIT 1`;
  return (await tx.get(rows)) !== undefined;
}

/** The attribute of the other side that a change takes from entries which must have it; undefined if there is none. */
function requiredSide({ inverse, storage, targets: [type] }: ChangedRelation) {
  const isTheirs = isInverseStorage(storage) && inverse !== undefined && type !== undefined;
  return isTheirs && isRequired(type, inverse) ? { type, inverse } : undefined;
}

async function ofInverse({ tx, owner }: Changing, changed: ChangedRelation): Promise<readonly Issue[]> {
  const side = requiredSide(changed);
  if (!side) return [];
  const { lost } = await movedBy(tx, changed, owner);
  const ids = lost.map(({ id }) => id);
  if (!(await hasComplete(tx, side.type, ids))) return [];
  const { name } = changed;
  const message = `${name} would take entries of ${side.type.uid} from it that must have ${side.inverse}: connect them to another entry, or delete them`;
  return [{ path: [name], message }];
}

/** A one-to-one target can't be taken from an entry that must have one. */
async function ofTakeover(
  { tx, type }: Changing,
  changes: readonly ChangedRelation[],
  { column, holder, named }: Takeover,
): Promise<readonly Issue[]> {
  const changed = changes.find(({ part }) => part.kind === 'foreignKey' && part.storage.column === column);
  if (!changed || !isRequired(type, changed.name) || !(await hasComplete(tx, type, [holder]))) return [];
  const message = `${changed.name} names ${named.type} ${asNamed(named).id}, which another entry must have`;
  return [{ path: named.path, message }];
}

/** Issues for entries that would lose what they must have. Reads only for relations that are required on the other side. */
export async function requiredIssues(
  changing: Changing,
  changes: readonly ChangedRelation[],
  takeovers: readonly Takeover[],
): Promise<readonly Issue[]> {
  const issues: Issue[] = [];
  for (const changed of changes) issues.push(...(await ofInverse(changing, changed)));
  for (const takeover of takeovers) issues.push(...(await ofTakeover(changing, changes, takeover)));
  return issues;
}
