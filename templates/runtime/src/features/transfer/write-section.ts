/** Writes the rows of a section in batches: many rows a statement, and few different statements. */
import type { Executor } from '../../database/database.ts';
import { join, sql, type Sql } from '../../database/sql.ts';
import { bindCell, type Cell } from './cells.ts';
import type { Section } from './sections.ts';

/** SQLite takes 32,766 parameters a statement, the others 65,535. */
const MAX_PARAMETERS = 16_000;
const MAX_ROWS = 1024;
/** Characters of a batch, about: servers refuse statements that are too large, some of them from a few megabytes. */
const MAX_LENGTH = 2 ** 20;

export interface SectionWriter {
  /** Takes a row of checked cells; `length` is that of its line. Answers whether it has written, which it does now and then. */
  add(cells: readonly Cell[], length: number): Promise<boolean>;
  /** Writes what is left. */
  finish(): Promise<boolean>;
}

function insertSql({ dialect }: Executor, { table, columns }: Section, rows: readonly (readonly Cell[])[]): Sql {
  const names = columns.map(({ name }) => dialect.id(name));
  const values = rows.map((cells) => {
    const bound = columns.map(({ type }, index) => sql`${bindCell(dialect, type, cells[index] ?? null)}`);
    return sql`(${join(bound, ', ')})`;
  });
  return sql`INSERT INTO ${dialect.id(table)} (${join(names, ', ')}) VALUES ${join(values, ', ')}`;
}

/** Sets the columns behind the key, which is an id, in rows that are there. */
function fillSql({ dialect }: Executor, { table, columns }: Section, rows: readonly (readonly Cell[])[]): Sql {
  const given = rows.map((cells) =>
    // What is absent is NULL, on every engine.
    Object.fromEntries(columns.flatMap(({ name }, index) => (cells[index] === null ? [] : [[name, cells[index]]]))),
  );
  const types = Object.fromEntries(columns.map(({ name }) => [name, 'integer'] as const));
  const assigned = columns.filter(({ name }) => name !== 'id').map(({ name }) => [name, sql`r.${dialect.id(name)}`]);
  return dialect.updateFrom(
    table,
    dialect.jsonRows(JSON.stringify(given), types),
    Object.fromEntries(assigned) as Readonly<Record<string, Sql>>,
    sql`t.id = r.id`,
  );
}

/** The largest power of four that is at most `count`: so the statements of a table have only a few texts. */
function evenPart(count: number): number {
  return 4 ** Math.floor(Math.log2(count) / 2);
}

/** Writes within a transaction; what the database refuses is thrown by `add` or `finish`. */
export function createSectionWriter(tx: Executor, section: Section): SectionWriter {
  const most = Math.min(MAX_ROWS, evenPart(Math.floor(MAX_PARAMETERS / section.columns.length) || 1));
  let rows: (readonly Cell[])[] = [];
  let length = 0;
  const write = async (batch: readonly (readonly Cell[])[]): Promise<void> => {
    const statement = section.fills ? fillSql(tx, section, batch) : insertSql(tx, section, batch);
    await tx.run(statement);
  };
  const finish = async (): Promise<boolean> => {
    const pending = rows;
    rows = [];
    length = 0;
    for (let start = 0; start < pending.length;) {
      const count = section.fills ? pending.length : evenPart(pending.length - start);
      await write(pending.slice(start, start + count));
      start += count;
    }
    return true;
  };
  return {
    async add(cells, lineLength) {
      rows.push(cells);
      length += lineLength;
      return rows.length >= most || length >= MAX_LENGTH ? finish() : false;
    },
    finish,
  };
}
