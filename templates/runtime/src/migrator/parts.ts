/**
 * Migrations in two parts, told by the ends of their names. After `0002_…__expand` servers of the version before go on working;
 * `0003_…__contract` ends that, and waits until none of them is left and somebody asks for it.
 */

/** Whether servers that do not know a migration work on a database which has it. */
export function isExpand(name: string): boolean {
  return name.endsWith('__expand');
}

/** Whether a migration is applied only when it is asked for. */
export function isContract(name: string): boolean {
  return name.endsWith('__contract');
}

/**
 * Whether a server whose migrations are `names` works on a database that has those in `applied`: it lacks none but contracts,
 * and has no other that is newer than the server.
 */
export function isFitting(names: readonly string[], applied: readonly string[]): boolean {
  const isSame = names.every((name, index) => index >= applied.length || applied[index] === name);
  const missing = names.slice(applied.length);
  if (!isSame || (applied.length === 0 && missing.length > 0)) return false;
  return missing.every(isContract) && applied.slice(names.length).every(isExpand);
}
