/** The migration state of a database, as recorded in exports. */
import { ENGINES } from '../../contract/engines.ts';
import type { Executor } from '../../database/executor.ts';
import { readApplied } from '../../migrator/applied.ts';
import { readMigrationFiles } from '../../migrator/read-migrations.ts';
import type { MigrationFiles } from '../../contract/migration-sum.ts';
import { nextHash } from '../../migrator/sum.ts';
import type { Header } from './format.ts';

export interface SchemaState {
  readonly migration: Header['migration'];
  /**
   * The hashes that exports of version 1 may have for the same migration: those covered the SQL of the engines at that
   * time.
   */
  readonly formerSums: readonly string[];
}

/** All sets of engines that a project may have been built for. */
const ENGINE_SETS = Array.from({ length: 2 ** ENGINES.length - 1 }, (_, index) =>
  ENGINES.filter((__, engine) => ((index + 1) & (1 << engine)) !== 0),
);

/** A plan without what it says about scripts, which changes when an engine is added. Plans of earlier formats say nothing about them. */
function withoutScripts(plan: string): string {
  const { scripts, ...rest } = JSON.parse(plan) as { readonly scripts?: unknown };
  return scripts === undefined ? plan : JSON.stringify(rest);
}

/** The chained hash of migrations, restricted to their plans and the folders of these engines. */
export function sumOf(migrations: readonly MigrationFiles[], engines: readonly string[]): string {
  const isCounted = (path: string): boolean =>
    path === 'plan.json' || engines.some((one) => path.startsWith(`${one}/`));
  return migrations.reduce((previous, { files }) => {
    const counted = [...files].filter(([path]) => isCounted(path));
    const texts = counted.map(([path, text]) => [path, path === 'plan.json' ? withoutScripts(text) : text] as const);
    return nextHash(previous, new Map(texts));
  }, '');
}

/**
 * The state of the project whose migrations are in `directory`. Throws unless the database has exactly those
 * migrations.
 */
export async function readSchemaState(executor: Executor, directory: string): Promise<SchemaState> {
  const [migrations, applied] = await Promise.all([readMigrationFiles(directory), readApplied(executor)]);
  const last = migrations.at(-1);
  if (!last || migrations.map(({ name }) => name).join() !== applied.map(({ name }) => name).join()) {
    throw new Error(
      'The database does not have the migrations of this project. Apply them first: npm run server -- migrate up',
    );
  }
  return {
    migration: { name: last.name, sum: sumOf(migrations, []) },
    formerSums: ENGINE_SETS.map((engines) => sumOf(migrations, engines)),
  };
}

/** Describes a migration in messages. */
export function describeMigration({ name, sum }: Header['migration']): string {
  return `${name} (${sum.slice(0, 12)})`;
}
