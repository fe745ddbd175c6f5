/** Which migration a database is at, as exports name it. */
import type { Executor } from '../database/database.ts';
import { readApplied } from '../migrator/applied.ts';
import { readSum } from '../migrator/read-migrations.ts';
import type { Header } from './format.ts';

export type SchemaState = Header['migration'];

/** The last migration of the project, in `directory`. Throws unless the database has exactly those of the project. */
export async function readSchemaState(executor: Executor, directory: string): Promise<SchemaState> {
  const [lines, applied] = await Promise.all([readSum(directory), readApplied(executor)]);
  const last = lines.at(-1);
  if (!last || lines.map(({ name }) => name).join() !== applied.map(({ name }) => name).join()) {
    throw new Error(
      'The database does not have the migrations of this project. Apply them first: npm run migrate -- up',
    );
  }
  return { name: last.name, sum: last.hash };
}

/** A state for people. */
export function describeState({ name, sum }: SchemaState): string {
  return `${name} (${sum.slice(0, 12)})`;
}
