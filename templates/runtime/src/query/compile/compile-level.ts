/**
 * The statements of a read by levels: one selects the entries of a level without their lists; then, for each list, one selects
 * its owners and the ids in it. Thus each entry is read once, however many lists contain it.
 */
import { COLUMN_NAMES } from '../../contract/column-names.ts';
import type { Row } from '../../database/statement-runner.ts';
import type { Dialect } from '../../database/dialect.ts';
import { join, sql, type Sql } from '../../database/sql.ts';
import type { EntrySelection } from '../read-query.ts';
import { morphData, typePair } from './compile-morph.ts';
import { compilePopulation, relationList } from './compile-population.ts';
import { type Compiler, createCompiler } from './compiler.ts';
import { entrySerializer } from './entry-serializer.ts';
import type { DeferredList } from './list-bounds.ts';
import type { ItemRows, TableRows } from './rows.ts';

/** How the rows of one level are read. */
export interface EntryLevel {
  /** The lists that are left out of the entries' JSON. */
  readonly lists: readonly DeferredList[];
  idOf(row: Row): number;
  /** The JSON of the entry, with a marker in place of each of its lists. */
  textOf(row: Row): string;
}

/** The columns of a level's entries. `lists` are those that the compiler has deferred. */
export function entryLevel(
  compiler: Compiler,
  entry: EntrySelection,
  rows: TableRows,
  lists: readonly DeferredList[],
  lead: readonly (readonly [string, Sql])[] = [],
): { readonly columns: Sql; readonly level: EntryLevel } {
  const { columns, textOf } = entrySerializer(compiler, entry, rows, lead);
  return {
    columns: sql`${rows.alias}.id AS entry_id, ${columns}`,
    level: { lists, textOf, idOf: (row) => Number(row['entry_id']) },
  };
}

/** Selects the entries of a level by id: one row for each that exists. */
export interface EntriesStatement extends EntryLevel {
  statement(ids: readonly number[]): Sql;
}

/** `withType`: their attributes begin with `__type`, as behind a polymorphic relation. */
export function compileEntries(dialect: Dialect, entry: EntrySelection, withType: boolean): EntriesStatement {
  const lists: DeferredList[] = [];
  const compiler = createCompiler(dialect, compilePopulation, { kind: 'deferred', lists });
  const rows: TableRows = { kind: 'table', alias: compiler.alias(), type: entry.type };
  const lead = withType ? [typePair(compiler, entry)] : [];
  const { columns, level } = entryLevel(compiler, entry, rows, lists, lead);
  const select = sql`SELECT ${columns} FROM ${dialect.id(entry.type.table)} AS ${rows.alias}`;
  return {
    ...level,
    statement: (ids) => sql`${select} WHERE ${dialect.isOneOf(sql`${rows.alias}.id`, ids)}`,
  };
}

/** The owner of a list. */
export interface ListOwner {
  readonly owner: number;
  /** For a list inside a component: the id of its item. */
  readonly item: number | undefined;
}

/** An entry in a list: the index of its target type, and its id. */
export type Member = readonly [target: number, id: number];

/** Selects the ids in the lists of several owners: one row per owner. */
export interface MembersStatement {
  statement(owners: readonly ListOwner[]): Sql;
  ownerOf(row: Row): ListOwner;
  /** In the order of the list. Undefined if it has more than `most`. */
  membersOf(row: Row): readonly Member[] | undefined;
}

/**
 * The ids of a list as JSON. In a polymorphic relation each is an object such as `{"0": 7}`, whose name is the index of the type.
 */
function membersJson(compiler: Compiler, { population }: DeferredList, rows: TableRows | ItemRows): Sql {
  const { dialect } = compiler;
  if (population.kind === 'morph') {
    return morphData(compiler, population, rows, ({ key }, index) =>
      dialect.jsonObject([[String(index), dialect.jsonScalar('integer', key)]]),
    );
  }
  return relationList(compiler, population, rows, {
    needsRows: false,
    json: ({ alias }) => dialect.jsonScalar('integer', sql`${alias}.id`),
  });
}

function memberOf(json: unknown): Member {
  if (typeof json === 'number') return [0, json];
  const [[target, id] = ['0', 0]] = Object.entries(json as Readonly<Record<string, number>>);
  return [Number(target), id];
}

function parseMembers(text: unknown): readonly Member[] | undefined {
  const json = JSON.parse(String(text)) as unknown;
  // A list that is too long is replaced by a marker, which is not an array.
  return Array.isArray(json) ? json.map(memberOf) : undefined;
}

/** `most`: the maximum length of a list. */
export function compileMembers(dialect: Dialect, list: DeferredList, most: number): MembersStatement {
  const compiler = createCompiler(dialect, compilePopulation, { kind: 'guarded', most, size: Infinity });
  const owner: TableRows = { kind: 'table', alias: compiler.alias(), type: list.owner };
  const table = sql`${dialect.id(list.owner.table)} AS ${owner.alias}`;
  const given = compiler.alias();
  const itemId = sql`${given}.item_id`;
  const rows: TableRows | ItemRows = list.ofItem ? { kind: 'item', json: sql`NULL`, owner, id: itemId } : owner;
  const columns = [
    sql`${owner.alias}.id AS owner_id`,
    ...(list.ofItem ? [sql`${itemId} AS item_id`] : []),
    sql`${dialect.jsonText(membersJson(compiler, list, rows))} AS members`,
  ];
  const select = sql`SELECT ${join(columns, ', ')} FROM ${table}`;
  return {
    statement(owners) {
      if (!list.ofItem) {
        const ids = owners.map((each) => each.owner);
        return sql`${select} WHERE ${dialect.isOneOf(sql`${owner.alias}.id`, ids)}`;
      }
      const pairs = owners.map((each) => ({ owner_id: each.owner, item_id: each.item ?? 0 }));
      const listed = dialect.jsonRows(JSON.stringify(pairs), { owner_id: 'integer', item_id: 'integer' });
      return sql`${select} JOIN ${listed} AS ${given} ON ${given}.owner_id = ${owner.alias}.id`;
    },
    ownerOf: (row) => ({
      owner: Number(row[COLUMN_NAMES.owner]),
      item: list.ofItem ? Number(row[COLUMN_NAMES.item]) : undefined,
    }),
    membersOf: (row) => parseMembers(row['members']),
  };
}
