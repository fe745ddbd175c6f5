/** Takes a file of SQL apart. */

/**
 * Quoted texts and names, comments, and the ends of statements, as MySQL writes them; the rest is taken as it comes. A text
 * may hold a quote twice or after a backslash.
 */
const PIECE =
  /'(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.|"")*"|`(?:[^`]|``)*`|\/\*[\s\S]*?\*\/|--(?=\s|$)[^\n]*|#[^\n]*|;|[\s\S]/gu;

const COMMENT = /^(?:--|#|\/\*(?![!M]))/u;

/** The statements of a text, each without the `;` behind it; comments alone are none. */
export function splitStatements(text: string): readonly string[] {
  const statements: string[] = [];
  let current = '';
  let isEmpty = true;
  for (const [piece] of text.matchAll(PIECE)) {
    if (piece === ';') {
      if (!isEmpty) statements.push(current.trim());
      current = '';
      isEmpty = true;
      continue;
    }
    current += piece;
    if (piece.trim() !== '' && !COMMENT.test(piece)) isEmpty = false;
  }
  if (!isEmpty) statements.push(current.trim());
  return statements;
}
