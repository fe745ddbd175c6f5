/** SQL expressions for the ids of new rows, used instead of parameters until the ids are known. */
import { NewId } from './new-id.ts';
import type { Sql } from './sql.ts';

/** Quoted strings and identifiers of any engine, and the parameters between them. */
const QUOTED_OR_PARAMETER = /'(?:[^'\\]|\\.|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\?/gsu;

function isUnknown(param: Sql['params'][number]): param is NewId {
  return param instanceof NewId && param.known === undefined;
}

/** Whether a statement has the id of a row whose INSERT has not run yet. */
export function hasUnknownIds({ params }: Sql): boolean {
  return params.some(isUnknown);
}

/** The statement with each unknown id replaced by the SQL expression that the engine has for it. */
export function withNamedIds(statement: Sql, nameOf: (id: NewId) => string): Sql {
  if (!hasUnknownIds(statement)) return statement;
  const { params } = statement;
  let index = -1;
  const text = statement.text.replaceAll(QUOTED_OR_PARAMETER, (piece) => {
    if (piece !== '?') return piece;
    index += 1;
    const param = params[index];
    return param !== undefined && isUnknown(param) ? nameOf(param) : piece;
  });
  return { text, params: params.filter((param) => !isUnknown(param)) };
}
