/** Databases and storages for exports and imports, and the command for them. */
import { cp, readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { vi } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { runData } from '../../templates/runtime/src/server/commands/run-data.ts';
import { openDatabase } from '../../templates/runtime/src/database/open-database.ts';
import type { Database } from '../../templates/runtime/src/database/database.ts';
import type { Dialect } from '../../src/model/content-model.ts';
import type { TestProject, TestServer } from '../../templates/runtime/test-support/test-project.ts';
import { compileDefinition } from './served-project.ts';
import { createDatabase } from '../../templates/runtime/test-support/engines.ts';

/** Progress output, which appears if work takes more than a second, as on a busy machine. */
const PROGRESS = /^[\w -]+(?:, about \d+ (?:s|min) left)?: \d+(?: of \d+)?\n/gmu;

interface Result {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

/** A database with a folder for files. */
export interface Place {
  readonly uploads: string;
  open(): Promise<Database>;
  start(): Promise<TestServer>;
  /** Runs `npm run server -- data …` on it. */
  data(...args: readonly string[]): Promise<Result>;
  /** Runs `content-gen data …` on it, with the built runtime of the project. */
  contentGen(...args: readonly string[]): Promise<Result>;
  drop(): Promise<void>;
}

/** `folder`: that of the generated project, if there is any. */
type MovedProject = TestProject & { readonly folder?: string };

const SECRET = 'of-the-tests-0123456789-abcdefghijklmn';

const compiled = new Map<string, Promise<string>>();

async function compiledCopy(folder: string): Promise<string> {
  const copy = `${folder}-compiled`;
  await cp(folder, copy, { recursive: true });
  await compileDefinition(copy);
  return copy;
}

/** A compiled copy of a project: the project itself runs in this process, with the sources of the runtime. */
function compiledFolder({ folder }: MovedProject): Promise<string> {
  if (folder === undefined) throw new Error('The project has no folder');
  const copy = compiled.get(folder) ?? compiledCopy(folder);
  compiled.set(folder, copy);
  return copy;
}

/** A new database and folder. `name` is unique in the project; `settings` override those of the tests. */
export async function openPlace(
  project: MovedProject,
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
  /** Runs a command with the settings of the place. */
  const run = async (command: () => Promise<number>): Promise<Result> => {
    const [out, error] = [vi.spyOn(process.stdout, 'write'), vi.spyOn(process.stderr, 'write')];
    for (const stream of [out, error]) stream.mockReturnValue(true);
    for (const [key, value] of Object.entries(environment)) vi.stubEnv(key, value);
    try {
      const code = await command();
      const [printed = '', failed = ''] = [out, error].map(({ mock }) => mock.calls.map(([text]) => text).join(''));
      return { code, out: printed, error: failed.replaceAll(PROGRESS, '') };
    } finally {
      vi.unstubAllEnvs();
      for (const stream of [out, error]) stream.mockRestore();
    }
  };
  return {
    uploads: environment.UPLOAD_DIR,
    open: () => openDatabase(environment.DATABASE_URL),
    start: () => project.start(environment),
    data: (...args) => run(() => runData(project.definition, args)),
    async contentGen(...args) {
      const folder = await compiledFolder(project);
      const { stdout, stderr, env } = process;
      return run(() => main(['data', ...args, '--project', folder], { stdout, stderr, env, cwd: process.cwd() }));
    },
    drop: async () => server?.drop(),
  };
}

/** The lines of an export. */
export async function linesOf(path: string): Promise<string[]> {
  const bytes = await readFile(path);
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8').trimEnd().split('\n');
}
