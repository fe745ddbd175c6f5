/**
 * Expand and contract migrations, told apart by their suffix. Servers of the previous version keep working after
 * `0002_…__expand`. `0003_…__contract` breaks them, so it is applied only on request, once none of them runs any more.
 */

/** Whether servers that do not know a migration work on a database that has it. */
export function isExpand(name: string): boolean {
  return name.endsWith('__expand');
}

/** Whether a migration is applied only on request. */
export function isContract(name: string): boolean {
  return name.endsWith('__contract');
}

/**
 * Whether a server whose migrations are `names` works on a database with those in `applied`: only contract migrations
 * may be pending, and only expand migrations may be newer than the server.
 */
export function isFitting(names: readonly string[], applied: readonly string[]): boolean {
  const isSame = names.every((name, index) => index >= applied.length || applied[index] === name);
  const missing = names.slice(applied.length);
  if (!isSame || (applied.length === 0 && missing.length > 0)) return false;
  return missing.every(isContract) && applied.slice(names.length).every(isExpand);
}
