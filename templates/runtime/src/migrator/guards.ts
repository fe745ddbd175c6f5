/** The statements of guards, which stop a migration if there are rows that it can't keep. They change no data. */

const COMMENTS = /^(?:\s|--[^\n]*\n|\/\*[\s\S]*?\*\/)*/u;
const GUARD =
  /^(?:CREATE\s+TABLE\s+IF\s+NOT\s+EXISTS|INSERT\s+INTO|DROP\s+TABLE)\s+["`]?(?<table>_found_[0-9a-f]+)["`]?/iu;

/** A statement without the comments before it. */
export function withoutComments(statement: string): string {
  return statement.replace(COMMENTS, '');
}

/** The table of a guard, which exists only while it looks for rows; undefined for other statements. */
export function guardTable(statement: string): string | undefined {
  return GUARD.exec(withoutComments(statement))?.groups?.['table'];
}
