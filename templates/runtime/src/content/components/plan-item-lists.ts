/** Plans the writes of relations and media inside the components of one entry. */
import type { ContentType, ContentTypes } from '../../contract/content-type.ts';
import type { Executor } from '../../database/executor.ts';
import type { Dialect } from '../../database/dialect.ts';
import { join, sql, type Sql } from '../../database/sql.ts';
import type { Issue } from '../../contract/errors.ts';
import { columnOf } from '../relations/list-table.ts';
import { type ListReader, type ListWrites, planChange, type WriteAuthority } from '../relations/plan-list-writes.ts';
import { findFirstRows, namingFirstRows } from '../localization/first-rows.ts';
import { keyOf, refOf } from '../relations/relation-change.ts';
import { asListChange } from '../relations/relation-parts.ts';
import { type LinkTable, linkTableOf, type LinkWrites } from './link-table.ts';
import type { LinkChange } from './merge-items.ts';

/** The entry whose lists are planned. `owner` is undefined for a new one. */
interface ItemLists {
  readonly tx: Executor;
  readonly types: ContentTypes;
  readonly type: ContentType;
  readonly owner: number | undefined;
}

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

/** The lists with the first rows of entries in place of their other rows, where the lists are those of shared items. */
async function namingFirst(
  { tx, types }: ItemLists,
  lists: ReadonlyMap<LinkChange, readonly StoredLink[]>,
): Promise<ReadonlyMap<LinkChange, readonly StoredLink[]>> {
  const links = [...lists].flatMap(([{ isShared }, stored]) => (isShared ? stored : []));
  if (links.length === 0) return lists;
  const firstOf = await findFirstRows(
    tx,
    types,
    links.map(({ key }) => refOf(key)),
  );
  const named = (link: StoredLink): StoredLink => ({ ...link, key: keyOf(firstOf(refOf(link.key))) });
  return new Map([...lists].map(([change, stored]) => [change, change.isShared ? stored.map(named) : stored]));
}

/** The changes, with those of shared items naming the first rows of entries. */
async function namedChanges({ tx, types }: ItemLists, given: readonly LinkChange[]): Promise<readonly LinkChange[]> {
  const shared = new Map(given.flatMap((link) => (link.isShared ? [[link, link.change] as const] : [])));
  if (shared.size === 0) return given;
  const named = await namingFirstRows(tx, types, shared);
  return given.map((link) => ({ ...link, change: named.get(link) ?? link.change }));
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
  entry: ItemLists,
  given: readonly LinkChange[],
  authority: WriteAuthority,
): Promise<{ readonly issues: readonly Issue[]; readonly writes: LinkWrites }> {
  const { tx, type, owner } = entry;
  const issues: Issue[] = [];
  const writes = { remove: [], move: [], insert: [] } as { [Kind in keyof LinkWrites]: LinkWrites[Kind][number][] };
  if (given.length === 0) return { issues, writes };
  const changes = await namedChanges(entry, given);
  const existing = changes.filter(({ item }) => item.id !== undefined);
  const lists =
    owner === undefined ? undefined : await namingFirst(entry, await readLists(tx, linkTableOf(type), owner, existing));
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
