/**
 * The statements of a read by levels: the entries of one level without their lists, and then, for each list, whose it is and
 * which entries are in it. So each entry is read once, however many lists it is in.
 */
import type { Row } from '../../database/statement-runner.ts';
import type { Dialect } from '../../database/dialect.ts';
import { join, sql, type Sql } from '../../database/sql.ts';
import type { EntrySelection } from '../read-query.ts';
import { morphData, typePair } from './compile-morph.ts';
import { compilePopulation, relationList } from './compile-population.ts';
import { type Compiler, createCompiler } from './compiler.ts';
import { entryAnswer } from './entry-answer.ts';
import type { CutList } from './list-bounds.ts';
import type { ItemRows, TableRows } from './rows.ts';

/** How the rows of one level are read. */
export interface EntryLevel {
  /** The lists that the texts of its entries leave out. */
  readonly lists: readonly CutList[];
  idOf(row: Row): number;
  /** The JSON text of the entry, with a marker for each of its lists. */
  textOf(row: Row): string;
}

/** The columns of the entries of a level, of rows that a compiler with `lists` cuts. */
export function entryLevel(
  compiler: Compiler,
  entry: EntrySelection,
  rows: TableRows,
  lists: readonly CutList[],
  lead: readonly (readonly [string, Sql])[] = [],
): { readonly columns: Sql; readonly level: EntryLevel } {
  const { columns, textOf } = entryAnswer(compiler, entry, rows, lead);
  return {
    columns: sql`${rows.alias}.id AS entry_id, ${columns}`,
    level: { lists, textOf, idOf: (row) => Number(row['entry_id']) },
  };
}

/** The entries of a level, by their ids: a row for each that there is. */
export interface EntriesStatement extends EntryLevel {
  statement(ids: readonly number[]): Sql;
}

/** `withType`: their attributes begin with `__type`, as behind a relation to several types. */
export function compileEntries(dialect: Dialect, entry: EntrySelection, withType: boolean): EntriesStatement {
  const lists: CutList[] = [];
  const compiler = createCompiler(dialect, compilePopulation, { kind: 'cut', lists });
  const rows: TableRows = { kind: 'table', alias: compiler.alias(), type: entry.type };
  const lead = withType ? [typePair(compiler, entry)] : [];
  const { columns, level } = entryLevel(compiler, entry, rows, lists, lead);
  const select = sql`SELECT ${columns} FROM ${dialect.id(entry.type.table)} AS ${rows.alias}`;
  return {
    ...level,
    statement: (ids) => sql`${select} WHERE ${dialect.isOneOf(sql`${rows.alias}.id`, ids)}`,
  };
}

/** Whose a list is. */
export interface ListOwner {
  readonly owner: number;
  /** Of a list in a component: the id of its item. */
  readonly item: number | undefined;
}

/** An entry of a list: of which of the list's targets, and its id. */
export type Member = readonly [target: number, id: number];

/** Which entries are in the lists of some owners: a row for each owner. */
export interface MembersStatement {
  statement(owners: readonly ListOwner[]): Sql;
  ownerOf(row: Row): ListOwner;
  /** In the order of the list. Undefined where it has more than `most`. */
  membersOf(row: Row): readonly Member[] | undefined;
}

/** The ids of a list as JSON: of a relation to several types, each as `{"0": 7}` with the index of its type. */
function membersJson(compiler: Compiler, { population }: CutList, rows: TableRows | ItemRows): Sql {
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
  // In place of a list that is too long there is a marker, which is no array.
  return Array.isArray(json) ? json.map(memberOf) : undefined;
}

/** `most`: how many entries a list has that is not too long. */
export function compileMembers(dialect: Dialect, list: CutList, most: number): MembersStatement {
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
      owner: Number(row['owner_id']),
      item: list.ofItem ? Number(row['item_id']) : undefined,
    }),
    membersOf: (row) => parseMembers(row['members']),
  };
}
