/** Servers in processes of their own, which tests kill. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';

const RUNTIME = join(import.meta.dirname, '../src');
const PACKAGES = dirname(dirname(createRequire(import.meta.url).resolve('typescript/package.json')));

/** The program of a server of a test project. `before` makes the `extensions`, `after` uses the `server`. */
export function serverProgram(project: string, { before = 'const extensions = {};', after = '' } = {}): string {
  const folder = join(import.meta.dirname, 'projects', project);
  return `
    import { definition } from '${folder}/src/generated/app.ts';
    import * as runtime from '${RUNTIME}/index.ts';
    ${before}
    const settings = runtime.readSettings('${project}', process.env);
    const migrations = new URL('file://${folder}/migrations/');
    const server = await runtime.createServer({ ...definition, migrations }, { settings, extensions });
    process.send(await server.listen());
    ${after}
  `;
}

/** Bundles a program into `folder`, which then has the packages of the runtime, too. Resolves to the path of the file to run. */
export async function bundleProgram(folder: string, program: string): Promise<string> {
  const outfile = join(folder, 'server.mjs');
  await symlink(PACKAGES, join(folder, 'node_modules'));
  await build({
    stdin: { contents: program, resolveDir: RUNTIME, loader: 'ts' },
    alias: { '@content-gen/runtime': join(RUNTIME, 'index.ts') },
    packages: 'external',
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
  });
  return outfile;
}

export interface ForkedServer {
  readonly process: ChildProcess;
  readonly port: number;
  readonly origin: string;
}

/** Resolves once it listens: at a free port, unless `PORT` is given. */
export async function forkServer(
  file: string,
  environment: Readonly<Record<string, string>>,
  { execArgv = [] as readonly string[] } = {},
): Promise<ForkedServer> {
  const env = {
    ...process.env,
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: 'silent',
    JWT_SECRET: 'of-the-tests-0123456789-abcdefghijklmn',
    ...environment,
  };
  const child = fork(file, { env, execArgv: [...execArgv], stdio: 'inherit' });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return { process: child, port, origin: `http://127.0.0.1:${port}` };
}
