/** SQL expressions for the ids of new rows, used instead of parameters until the ids are known. */
import { NewId } from './new-id.ts';
import { createRecentTexts } from './recent-texts.ts';
import type { Sql, SqlParam } from './sql.ts';

/** Quoted strings and identifiers of any engine, and the parameters between them. */
const QUOTED_OR_PARAMETER = /'(?:[^'\\]|\\.|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\?/gsu;

/** The parts of a text between its parameters. */
const partsOf = createRecentTexts((text) => {
  const parts: string[] = [];
  let start = 0;
  for (const { 0: piece, index } of text.matchAll(QUOTED_OR_PARAMETER)) {
    if (piece !== '?') continue;
    parts.push(text.slice(start, index));
    start = index + 1;
  }
  return [...parts, text.slice(start)];
});

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
  const known: SqlParam[] = [];
  let text = '';
  for (const [index, part] of partsOf(statement.text).entries()) {
    const param = statement.params[index];
    text += part;
    if (param === undefined) continue;
    const isKnown = !isUnknown(param);
    text += isKnown ? '?' : nameOf(param);
    if (isKnown) known.push(param);
  }
  return { text, params: known };
}
