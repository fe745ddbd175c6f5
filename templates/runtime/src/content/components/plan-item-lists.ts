/** Plans the writes of relations and media inside the components of one entry. */
import type { ContentType } from '../../contract/content-type.ts';
import type { Executor } from '../../database/executor.ts';
import type { Dialect } from '../../database/dialect.ts';
import { join, sql, type Sql } from '../../database/sql.ts';
import type { Issue } from '../../contract/errors.ts';
import { columnOf } from '../relations/list-table.ts';
import { type ListReader, type ListWrites, planChange, type WriteAuthority } from '../relations/plan-list-writes.ts';
import { keyOf } from '../relations/relation-change.ts';
import { asListChange } from '../relations/relation-parts.ts';
import { type LinkTable, linkTableOf, type LinkWrites } from './link-table.ts';
import type { LinkChange } from './merge-items.ts';

/** A row of the link table. */
interface StoredLink {
  readonly id: number;
  readonly key: string;
  readonly position: number;
}

function targetColumns(dialect: Dialect, { targets }: LinkTable): Sql {
  return join(
    targets.map(({ column }, index) => sql`${columnOf(dialect, 'm', column)} AS ${dialect.id(`target${index}`)}`),
    ', ',
  );
}

/** Reads the stored lists that change, in order, with one statement. They are short, so each is read in full. */
async function readLists(
  tx: Executor,
  links: LinkTable,
  owner: number,
  changes: readonly LinkChange[],
): Promise<ReadonlyMap<LinkChange, readonly StoredLink[]>> {
  const { dialect } = tx;
  const lists = new Map(changes.map((change): [LinkChange, StoredLink[]] => [change, []]));
  if (changes.length === 0) return lists;
  const named = changes.map(({ item, name }, list) => ({ list, item: item.id, attribute: name }));
  const rows = dialect.jsonRows(JSON.stringify(named), { list: 'integer', item: 'integer', attribute: 'text' });
  const columns = sql`m.id, r.list AS list, m.position AS position, ${targetColumns(dialect, links)}`;
  const found = await tx.all(
    sql`SELECT ${columns} FROM ${rows} AS r CROSS JOIN ${dialect.id(links.table)} AS m WHERE m.owner_id = ${owner} AND m.item_id = r.item AND m.attribute = r.attribute ORDER BY m.position, m.id`,
  );
  for (const row of found) {
    const change = changes[Number(row['list'])];
    const index = links.targets.findIndex((_, at) => row[`target${at}`] !== null);
    const target = links.targets[index];
    if (!change || !target) continue;
    const key = keyOf({ type: target.type, id: Number(row[`target${index}`]) });
    lists.get(change)?.push({ id: Number(row['id']), key, position: Number(row['position']) });
  }
  return lists;
}

/** A reader of a list in memory. */
function readerOf(stored: readonly StoredLink[]): ListReader {
  const positions = new Map(stored.map(({ key, position }) => [key, position]));
  const members = stored.map(({ key, position }, index) => ({
    key,
    position,
    previous: stored[index - 1]?.position,
    next: stored[index + 1]?.position,
  }));
  return {
    members: (entries) => {
      const keys = entries.map(keyOf).filter((key) => positions.has(key));
      return Promise.resolve(new Map(keys.map((key) => [key, positions.get(key) ?? 0])));
    },
    list: () => Promise.resolve({ members, first: stored[0]?.position, last: stored.at(-1)?.position }),
    neighbors: (after, before, limit) => {
      const left = stored.filter(({ position }) => position <= after).slice(-limit);
      return Promise.resolve({ left, right: stored.filter(({ position }) => position >= before).slice(0, limit) });
    },
  };
}

/** The writes of one list, as rows of the link table. */
function rowsOf({ item, name }: LinkChange, stored: readonly StoredLink[], writes: ListWrites): LinkWrites {
  const ids = new Map(stored.map(({ key, id }) => [key, id]));
  const named = new Set(writes.remove.entries.map(keyOf));
  const leaves = writes.remove.kind === 'these';
  return {
    remove: stored.flatMap(({ id, key }) => (named.has(key) === leaves ? [id] : [])),
    move: writes.move.map((entry) => ({ id: ids.get(keyOf(entry)) ?? 0, position: entry.position })),
    insert: writes.insert.map(({ type, id, position }) => ({ item, attribute: name, type, id, position })),
  };
}

/** Plans the relations and media of all items; those of new items start empty. Only reads, with at most one statement. */
export async function planItemLists(
  tx: Executor,
  type: ContentType,
  owner: number | undefined,
  changes: readonly LinkChange[],
  authority: WriteAuthority,
): Promise<{ readonly issues: readonly Issue[]; readonly writes: LinkWrites }> {
  const issues: Issue[] = [];
  const writes = { remove: [], move: [], insert: [] } as { [Kind in keyof LinkWrites]: LinkWrites[Kind][number][] };
  if (changes.length === 0) return { issues, writes };
  const existing = changes.filter(({ item }) => item.id !== undefined);
  const lists = owner === undefined ? undefined : await readLists(tx, linkTableOf(type), owner, existing);
  for (const link of changes) {
    const stored = lists?.get(link);
    const change = link.attribute.many ? link.change : asListChange(link.change);
    const planned = await planChange(stored && readerOf(stored), change, authority);
    issues.push(...planned.issues);
    const rows = rowsOf(link, stored ?? [], planned.writes);
    writes.remove.push(...rows.remove);
    writes.move.push(...rows.move);
    writes.insert.push(...rows.insert);
  }
  return { issues, writes };
}
