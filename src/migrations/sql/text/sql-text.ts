/** Escapes text for SQL files: one function per syntactic context. */

const UNSAFE_IN_COMMENT =
  // eslint-disable-next-line no-control-regex -- matches control characters on purpose
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff\ufff9-\ufffb]|\p{Surrogate}/gu;

/** A comment line. Control and formatting characters are replaced, so the text can't end it, hide in it or change the text direction. */
export function sqlComment(text: string): string {
  return `-- ${text.replace(UNSAFE_IN_COMMENT, ' ')}`;
}

/** A quoted text literal of standard SQL. Throws for U+0000, which no engine can hold. */
export function sqlLiteral(text: string): string {
  if (text.includes('\0')) throw new Error('text with U+0000 cannot be written in SQL');
  return `'${text.replaceAll("'", "''")}'`;
}

/** A quoted text literal of MySQL, where the backslash escapes. */
export function mysqlLiteral(text: string): string {
  return sqlLiteral(text.replaceAll('\\', '\\\\'));
}

/** A quoted name of standard SQL. */
export function sqlName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A quoted name of MySQL. */
export function mysqlName(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``;
}
