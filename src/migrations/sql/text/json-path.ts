/** The path of a member in SQLite's and MySQL's JSON functions. Names of attributes have nothing that must be escaped. */
export function memberPath(member: string): string {
  return `$."${member}"`;
}
