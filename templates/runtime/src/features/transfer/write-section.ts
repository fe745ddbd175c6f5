/** Writes the rows of a section in multi-row statements, with only a few distinct SQL texts. */
import type { Executor } from '../../database/executor.ts';
import { statement, type Transaction } from '../../database/write-plan.ts';
import { join, sql, type Sql } from '../../database/sql.ts';
import type { Cell, Section, SectionWriter } from '../../contract/content-transfer.ts';
import { bindCell } from '../../content/stored-rows/cells.ts';

/** SQLite allows 32,766 parameters per statement, the others 65,535. */
const MAX_PARAMETERS = 16_000;
const MAX_ROWS = 1024;
/** Approximate size of a batch in characters: servers limit the statement size, some of them to a few megabytes. */
const MAX_LENGTH = 2 ** 20;

function insertSql({ dialect }: Executor, { table, columns }: Section, rows: readonly (readonly Cell[])[]): Sql {
  const names = columns.map(({ name }) => dialect.id(name));
  const values = rows.map((cells) => {
    const bound = columns.map(({ type }, index) => sql`${bindCell(dialect, type, cells[index] ?? null)}`);
    return sql`(${join(bound, ', ')})`;
  });
  return sql`INSERT INTO ${dialect.id(table)} (${join(names, ', ')}) VALUES ${join(values, ', ')}`;
}

/** Updates columns of existing rows; the key is the id. */
function fillSql({ dialect }: Executor, { table, columns }: Section, rows: readonly (readonly Cell[])[]): Sql {
  const given = rows.map((cells) =>
    // An absent key reads as NULL on every engine.
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

/** The largest power of four up to `count`, so that a table needs only a few distinct statements. */
function batchSize(count: number): number {
  return 4 ** Math.floor(Math.log2(count) / 2);
}

/** Writes within a transaction; `add` and `finish` rethrow errors of the database. */
export function createSectionWriter(tx: Transaction, section: Section): SectionWriter {
  const most = Math.min(MAX_ROWS, batchSize(Math.floor(MAX_PARAMETERS / section.columns.length) || 1));
  let rows: (readonly Cell[])[] = [];
  let length = 0;
  const write = async (batch: readonly (readonly Cell[])[]): Promise<void> => {
    const step = statement(section.fills ? fillSql(tx, section, batch) : insertSql(tx, section, batch));
    const subject = { action: 'import', type: section.table, id: undefined } as const;
    await tx.write(() => Promise.resolve({ subjects: [subject], steps: [step], answer: () => undefined }));
  };
  const finish = async (): Promise<boolean> => {
    const pending = rows;
    rows = [];
    length = 0;
    for (let start = 0; start < pending.length;) {
      const count = section.fills ? pending.length : batchSize(pending.length - start);
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
