/**
 * SQL text with its parameters. Only names that were checked when the server was generated become text, through `id` and
 * `text` of the dialect; every value from a request is a parameter.
 */

import { NewId } from './new-id.ts';

/** What a column holds, and what can be bound to a statement on every engine. */
export type SqlValue = string | number | bigint | null;

/** A parameter of a statement. */
export type SqlParam = SqlValue | NewId;

/** A fragment of a statement: each `?` marks a parameter, in order. */
export interface Sql {
  readonly text: string;
  readonly params: readonly SqlParam[];
  /** For a DELETE: selects, as `count`, how many matching rows there still are. See `deleteRows`. */
  readonly remaining?: Sql;
}

type Part = Sql | SqlParam;

export function isSql(part: Part): part is Sql {
  return typeof part === 'object' && part !== null && !(part instanceof NewId);
}

/** Template tag: `` sql`SELECT ${dialect.id('name')} WHERE a = ${value}` ``. Values become parameters. */
export function sql(strings: TemplateStringsArray, ...parts: readonly Part[]): Sql {
  let text = strings[0] ?? '';
  const params: SqlParam[] = [];
  for (let index = 0; index < parts.length; index += 1) {
    const part = parts[index] ?? null;
    if (isSql(part)) {
      text += part.text;
      for (const param of part.params) params.push(param);
    } else {
      text += '?';
      params.push(part);
    }
    text += strings[index + 1] ?? '';
  }
  return { text, params };
}

/** Trusted SQL text. Never for anything that came with a request. */
export function raw(text: string): Sql {
  return { text, params: [] };
}

/** Joins fragments: `join(columns, ', ')`. */
export function join(parts: readonly Sql[], separator: string): Sql {
  let text = '';
  const params: SqlParam[] = [];
  for (const [index, part] of parts.entries()) {
    text += index === 0 ? part.text : separator + part.text;
    for (const param of part.params) params.push(param);
  }
  return { text, params };
}

/**
 * A DELETE. On MariaDB a DELETE that was interrupted (KILL QUERY, a time limit) reports that it found no rows, and the batch
 * continues. So if nothing was deleted, a connection to MariaDB checks with `remaining` whether there are matching rows.
 */
export function deleteRows(table: Sql, where: Sql): Sql {
  const from = sql`FROM ${table} WHERE ${where}`;
  return { ...sql`DELETE ${from}`, remaining: sql`SELECT COUNT(*) AS count ${from}` };
}
