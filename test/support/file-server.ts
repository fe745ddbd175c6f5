/** Servers that keep files: each with a database and a folder of its own. */
import type { Database } from '../../templates/runtime/src/database/database.ts';
import { openDatabase } from '../../templates/runtime/src/database/open-database.ts';
import { createDatabase } from '../../templates/runtime/test-support/engines.ts';
import type { DialectName } from '../../templates/runtime/src/database/dialect.ts';
import { temporaryFolder } from '../../templates/runtime/test-support/temporary-folder.ts';
import { createToken, type TestProject, type TestServer } from '../../templates/runtime/test-support/test-project.ts';

export interface FileServer {
  readonly server: TestServer;
  readonly database: Database;
  /** A token with all rights. */
  readonly admin: string;
  /** Path of the folder of files. */
  readonly uploads: string;
  /** Starts another server with the same database and folder. */
  start(): Promise<TestServer>;
  /** Removes the database and the folder. Servers are closed before. */
  close(): Promise<void>;
}

/** `name`: that of the database. */
export async function openFileServer(
  project: TestProject,
  name: string,
  { engine = 'sqlite', settings = {} }: { engine?: DialectName; settings?: Readonly<Record<string, string>> } = {},
): Promise<FileServer> {
  const made = engine === 'sqlite' ? undefined : await createDatabase(engine, name);
  const url = made?.url ?? project.urlOf(name);
  const folder = await temporaryFolder();
  const start = () => project.start({ DATABASE_URL: url, UPLOAD_DIR: folder.path, ...settings });
  const server = await start();
  const database = await openDatabase(url);
  return {
    server,
    database,
    admin: await createToken(database, { kind: 'full-access' }),
    uploads: folder.path,
    start,
    async close() {
      await database.close();
      await made?.drop();
      await folder.remove();
    },
  };
}

/** Of a form, by name. */
export type Fields = Readonly<Record<string, string | Blob>>;

/** Sends a form to `/api…`, as whoever has the token. */
export async function postForm(origin: string, path: string, fields: Fields, token: string) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${origin}/api${path}`, { method: 'POST', headers, body: form });
  return { status: response.status, body: (await response.json()) as any };
}
