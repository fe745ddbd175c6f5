/**
 * SQL text with its parameters. Only names that were checked when the server was generated become text, through
 * `identifier` and `literal`; every value of a request is a parameter.
 */

import { NewId } from './new-id.ts';

/** What a column holds, and what can be bound to a statement on every engine. */
export type SqlValue = string | number | bigint | null;

/** A parameter of a statement. */
export type SqlParam = SqlValue | NewId;

/** A piece of a statement: `?` marks the place of each parameter, in order. */
export interface Sql {
  readonly text: string;
  readonly params: readonly SqlParam[];
  /** Of a DELETE: counts, as `count`, the rows that it has to have found. See `deleteRows`. */
  readonly remaining?: Sql;
}

type Part = Sql | SqlParam;

export function isSql(part: Part): part is Sql {
  return typeof part === 'object' && part !== null && !(part instanceof NewId);
}

/** Template tag: `` sql`SELECT ${identifier('id')} WHERE a = ${value}` ``. Values become parameters. */
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

/** Text of ours, as it is. Never for anything that came with a request. */
export function raw(text: string): Sql {
  return { text, params: [] };
}

/** Joins pieces: `join(columns, ', ')`. */
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
 * A DELETE. MariaDB answers that one which was interrupted (KILL QUERY, a limit of time) has found no rows, and goes on with what
 * comes next: so where none was deleted, its connections ask whether there are any.
 */
export function deleteRows(table: Sql, where: Sql): Sql {
  const from = sql`FROM ${table} WHERE ${where}`;
  return { ...sql`DELETE ${from}`, remaining: sql`SELECT COUNT(*) AS count ${from}` };
}
