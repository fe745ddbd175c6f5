/** Breaks long expressions into lines, so that a migration can be reviewed. */

/** Quoted text and names, words, space, and single characters. Backslashes in MySQL's text are doubled, so none escapes a quote. */
const TOKENS = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\w+|\s+|./gsu;

/** Words that begin a line. */
const CLAUSES: ReadonlySet<string> = new Set(['FROM', 'WHERE', 'UNION']);

/** What is not closed yet: a parenthesis, one around a SELECT, or a CASE. */
type Open = 'plain' | 'select' | 'case';

/** The same SQL with a line for each clause of a nested SELECT, and for each branch of a CASE. `depth`: of the indentation. */
export function readable(sql: string, depth: number): string {
  const open: Open[] = [];
  const line = (less = 0): string => `\n${'  '.repeat(depth + open.filter((kind) => kind !== 'plain').length - less)}`;
  const tokens = sql.match(TOKENS) ?? [];
  let text = '';
  const startLine = (less = 0): void => {
    text = text.trimEnd() + line(less);
  };
  for (const [index, token] of tokens.entries()) {
    const last = open.at(-1);
    if (token === '(') {
      const isSelect = tokens[index + 1] === 'SELECT';
      open.push(isSelect ? 'select' : 'plain');
      text += token;
      if (isSelect) startLine();
      continue;
    }
    if (token === ')') {
      if (last === 'select') startLine(1);
      open.pop();
    } else if (token === 'CASE') {
      open.push('case');
    } else if (last === 'case' && (token === 'WHEN' || token === 'ELSE')) {
      startLine();
    } else if (last === 'case' && token === 'END') {
      startLine(1);
      open.pop();
    } else if (last === 'select' && CLAUSES.has(token)) {
      startLine();
    }
    text += token;
  }
  return text;
}
