/**
 * Relations of types without drafts to types that have them: a change of one is there in both states at once. What others have changed
 * from the side with drafts, and not published, stays in their drafts.
 */
import type { ContentType, RelationAttribute } from '../../contract/content-type.ts';
import { isLinkAttribute } from '../../contract/item-attributes.ts';
import { publishedTypes } from '../../contract/states.ts';
import type { Executor } from '../../database/executor.ts';
import type { Dialect } from '../../database/dialect.ts';
import { NewId } from '../../database/new-id.ts';
import { raw, sql, type Sql } from '../../database/sql.ts';
import { statement, type Statement, type Step, type Transaction } from '../../database/write-plan.ts';
import { incrementVersionsBySelect } from '../../write/version.ts';
import { belongsToFirstRow, firstRowOf } from '../localization/first-rows.ts';
import type { RelationChange, Target } from '../relations/relation-change.ts';
import type { NamedEntries } from './copy-links.ts';
import { copyRelation } from './copy-relation.ts';
import { publication, type State, type StateCopy } from './state-copy.ts';

/** The condition that a column refers to one of these entries, in whatever locale. */
function isNamed(dialect: Dialect, target: ContentType | undefined, shared: boolean, targets: readonly Target[]) {
  const ids = targets.map(({ id }) => id);
  if (!shared || !target?.localized) return (id: Sql): Sql => dialect.isOneOf(id, ids);
  const table = dialect.id(target.table);
  return (id: Sql): Sql =>
    sql`${id} IN (SELECT o.id FROM ${table} AS n JOIN ${table} AS o ON o.document_id = n.document_id WHERE ${dialect.isOneOf(raw('n.id'), ids)})`;
}

/** Undefined for a list that was set as a whole. */
function namedIn(
  dialect: Dialect,
  target: ContentType | undefined,
  shared: boolean,
  change: RelationChange,
): NamedEntries | undefined {
  if (change.kind === 'set') return undefined;
  return {
    added: isNamed(dialect, target, shared, change.connect),
    removed: isNamed(dialect, target, shared, change.disconnect),
  };
}

/** Counts a change of the published lists that the row leaves and enters. */
function incrementLists(
  { dialect, from, to }: StateCopy,
  { target = '', inverse }: RelationAttribute,
  { id, key, published }: { readonly id: number | NewId; readonly key: string; readonly published: string },
): readonly Statement[] {
  const list = to.types.types[target];
  if (inverse === undefined || !list?.draftAndPublish) return [];
  const keys = [dialect.id(key), dialect.id(published)] as const;
  const isOf = sql`FROM ${dialect.id(from.type.table)} WHERE id = ${id}`;
  const differing = ([one, other]: readonly [Sql, Sql]): Sql =>
    sql`SELECT ${one} AS k ${isOf} AND ${one} IS NOT NULL AND (${other} IS NULL OR ${other} <> ${one})`;
  const ids = sql`${differing(keys)} UNION ${differing([keys[1], keys[0]])}`;
  return [incrementVersionsBySelect(dialect, list.table, ids)];
}

/** A foreign key in the row, which has further columns for the published state. */
function copyKey(copy: StateCopy, name: string): readonly Statement[] {
  const { dialect, from, ids } = copy;
  const attribute = from.type.attributes[name];
  if (!attribute || !isLinkAttribute(attribute) || attribute.storage.kind !== 'foreignKey') return [];
  const { column, position, published, unique } = attribute.storage;
  const [id] = ids;
  if (!published || id === undefined) return [];
  const { table } = from.type;
  const place = position === undefined ? raw('') : sql`, ${dialect.id(position)} AS place`;
  const rows = sql`(SELECT id, ${dialect.id(column)} AS k${place} FROM ${dialect.id(table)} WHERE id = ${id})`;
  const key = dialect.id(published.column);
  const free = dialect.updateFrom(
    table,
    rows,
    { [published.column]: raw('NULL') },
    sql`t.${key} = r.k AND t.id <> r.id`,
  );
  const assign = {
    ...(published.position !== undefined && { [published.position]: raw('r.place') }),
    [published.column]: raw('r.k'),
  };
  const lists =
    attribute.type === 'relation'
      ? incrementLists(copy, attribute, { id, key: column, published: published.column })
      : [];
  return [
    ...lists,
    ...(unique ? [statement(free)] : []),
    statement(dialect.updateFrom(table, rows, assign, raw('t.id = r.id'))),
  ];
}

/** The rows of the entry that have the relation. */
async function ownersOf(tx: Executor, { types, type }: State, id: number, name: string): Promise<readonly number[]> {
  const attribute = type.attributes[name];
  if (!type.localized || !attribute?.shared || !isLinkAttribute(attribute)) return [id];
  if (belongsToFirstRow(type, attribute)) return [await firstRowOf(tx, type, id)];
  const table = tx.dialect.id((types.types[type.uid] ?? type).table);
  const rows = await tx.all(
    sql`SELECT o.id FROM ${table} AS t JOIN ${table} AS o ON o.document_id = t.document_id WHERE t.id = ${id} ORDER BY o.id`,
  );
  return rows.map((row) => Number(row['id']));
}

/** The steps after the relations of an entry have been written. None for types with drafts. */
export function writeBothStates(
  { types, type }: State,
  id: number | NewId,
  changes: ReadonlyMap<string, RelationChange>,
): readonly Step[] {
  if (type.draftAndPublish || publishedTypes(types) === types) return [];
  return [...changes].flatMap(([name, change]): Step[] => {
    const attribute = type.attributes[name];
    if (
      !attribute ||
      !isLinkAttribute(attribute) ||
      !('published' in attribute.storage || isElsewhere(types, name, type))
    ) {
      return [];
    }
    return [
      async (tx: Transaction) => {
        const owners = await ownersOf(tx, { types, type }, id instanceof NewId ? id.value : id, name);
        const target = attribute.type === 'relation' ? types.types[attribute.target ?? ''] : undefined;
        const named = namedIn(tx.dialect, target, attribute.shared === true, change);
        return owners.flatMap((owner) => {
          const copy = publication(tx.dialect, { types, type }, [owner]);
          return [...copyKey(copy, name), ...copyRelation(copy, name, attribute, named)];
        });
      },
    ];
  });
}

/** Whether the relation is stored with entries that have published versions. */
function isElsewhere({ types }: State['types'], name: string, { attributes }: ContentType): boolean {
  const attribute = attributes[name];
  if (attribute?.type !== 'relation' || attribute.storage.kind !== 'inverseForeignKey') return false;
  const target = types[attribute.target ?? ''];
  return target?.draftAndPublish === true;
}
