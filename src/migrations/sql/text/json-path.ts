/** The path of a member for SQLite's and MySQL's JSON functions. Attribute names need no escaping. */
export function memberPath(member: string): string {
  return `$."${member}"`;
}
