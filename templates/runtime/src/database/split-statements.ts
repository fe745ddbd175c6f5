/** Splits a file of SQL into statements. */

/**
 * Quoted strings and identifiers, comments and statement terminators in MySQL's syntax; anything else matches one character
 * at a time. A string may hold a quote that is doubled or escaped by a backslash.
 */
const PIECE =
  /'(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.|"")*"|`(?:[^`]|``)*`|\/\*[\s\S]*?\*\/|--(?=\s|$)[^\n]*|#[^\n]*|;|[\s\S]/gu;

const COMMENT = /^(?:--|#|\/\*(?![!M]))/u;

/** The statements of a text, each without its `;`. Comments alone don't count as a statement. */
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
