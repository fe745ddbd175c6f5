/** Databases and storages for exports and imports, and the command for them. */
import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { vi } from 'vitest';
import { runData } from '../../templates/runtime/src/server/commands/run-data.ts';
import { openDatabase } from '../../templates/runtime/src/database/open-database.ts';
import type { Database } from '../../templates/runtime/src/database/database.ts';
import type { Dialect } from '../../src/model/content-model.ts';
import type { TestProject, TestServer } from '../../templates/runtime/test-support/test-project.ts';
import { createDatabase } from '../../templates/runtime/test-support/engines.ts';

/** Progress output, which appears if work takes more than a second, as on a busy machine. */
const PROGRESS = /^[\w -]+(?:, about \d+ (?:s|min) left)?: \d+(?: of \d+)?\n/gmu;

/** A database with a folder for files. */
export interface Place {
  readonly uploads: string;
  open(): Promise<Database>;
  start(): Promise<TestServer>;
  /** Runs `npm run data -- …` on it. */
  data(...args: readonly string[]): Promise<{ readonly code: number; readonly out: string; readonly error: string }>;
  drop(): Promise<void>;
}

const SECRET = 'of-the-tests-0123456789-abcdefghijklmn';

/** A new database and folder. `name` is unique in the project; `settings` override those of the tests. */
export async function openPlace(
  project: TestProject,
  dialect: Dialect,
  name: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Place> {
  const file = project.urlOf(name);
  const server = dialect === 'sqlite' ? undefined : await createDatabase(dialect, `moving_${name}`);
  const environment = {
    DATABASE_URL: server?.url ?? file,
    UPLOAD_DIR: `${file.slice('sqlite:'.length)}.files`,
    JWT_SECRET: SECRET,
    ...settings,
  };
  return {
    uploads: environment.UPLOAD_DIR,
    open: () => openDatabase(environment.DATABASE_URL),
    start: () => project.start(environment),
    async data(...args) {
      const [out, error] = [vi.spyOn(process.stdout, 'write'), vi.spyOn(process.stderr, 'write')];
      for (const stream of [out, error]) stream.mockReturnValue(true);
      for (const [key, value] of Object.entries(environment)) vi.stubEnv(key, value);
      try {
        const code = await runData(project.definition, args);
        const [printed = '', failed = ''] = [out, error].map(({ mock }) => mock.calls.map(([text]) => text).join(''));
        return { code, out: printed, error: failed.replaceAll(PROGRESS, '') };
      } finally {
        vi.unstubAllEnvs();
        for (const stream of [out, error]) stream.mockRestore();
      }
    },
    drop: async () => server?.drop(),
  };
}

/** The lines of an export. */
export async function linesOf(path: string): Promise<string[]> {
  const bytes = await readFile(path);
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8').trimEnd().split('\n');
}
