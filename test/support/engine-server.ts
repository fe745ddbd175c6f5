/** A server of a project on one of the tested engines, in a database of its own. */
import type { Database } from '../../templates/runtime/src/database/database.ts';
import { openDatabase } from '../../templates/runtime/src/database/open-database.ts';
import { createDatabase } from '../../templates/runtime/test-support/engines.ts';
import { createToken, type TestProject, type TestServer } from '../../templates/runtime/test-support/test-project.ts';

export interface EngineServer {
  readonly server: TestServer;
  readonly database: Database;
  /** A token with all rights. */
  readonly admin: string;
  close(): Promise<void>;
}

/** `name` tells its database from others; `further`: environment and extensions. */
export async function startOn(
  engine: Parameters<typeof createDatabase>[0],
  project: TestProject,
  name: string,
  ...[environment, ...further]: Parameters<TestProject['start']>
): Promise<EngineServer> {
  const made = engine === 'sqlite' ? undefined : await createDatabase(engine, name);
  const url = made?.url ?? project.urlOf(name);
  const server = await project.start({ DATABASE_URL: url, ...environment }, ...further);
  const database = await openDatabase(url);
  const admin = await createToken(database, { kind: 'full-access' });
  return {
    server,
    database,
    admin,
    async close() {
      await server.close();
      await database.close();
      await made?.drop();
    },
  };
}
