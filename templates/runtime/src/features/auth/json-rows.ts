/** Reads rows as JSON, which is the same on every engine regardless of the types that drivers return. */
import { columnTypeOf, type ScalarType } from '../../contract/attribute-types/scalar-type.ts';
import type { Executor } from '../../database/executor.ts';
import type { Dialect } from '../../database/dialect.ts';
import { sql, type Sql } from '../../database/sql.ts';

/** Key in the result → type and name of its column. */
export type JsonColumns = Readonly<Record<string, readonly [ScalarType, string]>>;

function rowJson(dialect: Dialect, columns: JsonColumns): Sql {
  const pairs = Object.entries(columns).map(
    ([key, [type, column]]) => [key, dialect.jsonScalar(columnTypeOf(type), dialect.id(column))] as const,
  );
  return dialect.jsonText(dialect.jsonObject(pairs));
}

/** The rows of `SELECT columns rest`; `rest` is `FROM … WHERE …`. */
export async function readJsonRows<Row>(executor: Executor, columns: JsonColumns, rest: Sql): Promise<Row[]> {
  const rows = await executor.all(sql`SELECT ${rowJson(executor.dialect, columns)} AS data ${rest}`);
  return rows.map((row) => JSON.parse(String(row['data'])) as Row);
}
