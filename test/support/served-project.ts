/**
 * Projects that are generated from a schema and served in this process with their built runtime. They start within seconds, since
 * nothing is installed or compiled.
 */
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { threadId } from 'node:worker_threads';
import type * as Runtime from '@content-gen/runtime';
import { execa } from 'execa';
import { build } from '../../src/build.ts';
import { openProject, type TestProject } from '../../templates/runtime/test-support/test-project.ts';
import { root } from './project.ts';

export interface ServedProject {
  /** Its folder. */
  readonly project: string;
  readonly definition: Runtime.ServerDefinition;
  /** Address of the server. */
  readonly origin: string;
  /** `sqlite:…` */
  readonly databaseUrl: string;
  /** Stops the server and deletes the project with its database. */
  close(): Promise<void>;
}

const SETTINGS = {
  HOST: '127.0.0.1',
  PORT: '0',
  LOG_LEVEL: 'silent',
  JWT_SECRET: 'of-the-tests-0123456789-abcdefghijklmn',
  AUTH_RATE_LIMIT: '0',
  AUTH_PASSWORD_COST: '8',
};

/** Builds the project of a folder. Throws if the build stops. `allowDestructive`: what may be lost. */
async function buildIn(
  schema: string,
  folder: string,
  how: { readonly zeroDowntime: boolean; readonly allowDestructive: readonly string[] },
): Promise<void> {
  const { outcome, diagnostics } = await build({
    schema: [schema],
    out: join(folder, 'project'),
    cwd: folder,
    mode: 'write',
    diff: false,
    overwrite: [],
    onWait: () => {},
    ...how,
  });
  if (outcome === 'stopped') throw new Error(JSON.stringify(diagnostics, undefined, 2));
}

/** With `--zero-downtime`. */
export function buildBesideOld(
  schema: string,
  folder: string,
  allowDestructive: readonly string[] = [],
): Promise<void> {
  return buildIn(schema, folder, { zeroDowntime: true, allowDestructive });
}

/** For servers that all end before its migration. */
export function buildAfterOld(schema: string, folder: string): Promise<void> {
  return buildIn(schema, folder, { zeroDowntime: false, allowDestructive: [] });
}

let projects = 0;

/**
 * A project in a new folder inside this repository, so that its imports find the runtime and the packages. It is built from each
 * schema in order, with `--zero-downtime`; the last build may lose what `allowDestructive` names.
 */
async function generate(schemas: readonly string[], allowDestructive: readonly string[] = []): Promise<string> {
  projects += 1;
  const folder = join(root, '.tmp', `served-${process.pid}-${threadId}-${projects}`);
  await mkdir(folder, { recursive: true });
  for (const [index, schema] of schemas.entries()) {
    await writeFile(join(folder, 'schema.yaml'), schema);
    const allowed = index === schemas.length - 1 ? allowDestructive : [];
    await buildBesideOld(join(folder, 'schema.yaml'), folder, allowed);
  }
  return folder;
}

/** Links the project's own runtime into its node_modules, as npm would; all other packages are resolved from parent folders. */
export async function linkRuntime(project: string): Promise<void> {
  // The built runtime must be up to date.
  await execa(process.execPath, [join(root, 'bin/build-runtime/runtime.js'), '--check']);
  await mkdir(join(project, 'node_modules/@content-gen'), { recursive: true });
  const link = join(project, 'node_modules/@content-gen/runtime');
  if (!existsSync(link)) await symlink('../../runtime', link);
}

/** Compiles the commands of a project, and its definition, which tools beside it load. Packages are resolved from parent folders. */
export async function compileDefinition(project: string): Promise<void> {
  await linkRuntime(project);
  const options = ['--bundle', '--splitting', '--platform=node', '--format=esm', '--packages=external'];
  const esbuild = join(root, 'node_modules/.bin/esbuild');
  await execa(esbuild, ['src/generated/app.ts', 'src/generated/command.ts', ...options, '--outdir=dist/generated'], {
    cwd: project,
  });
}

async function load<T>(path: string): Promise<T> {
  return (await import(pathToFileURL(path).href)) as T;
}

/**
 * Generates a project from the text of a schema, after builds of `earlier` ones. Its definition uses the sources of the runtime,
 * for tests of the runtime.
 */
export async function generateProject(
  schema: string,
  earlier: readonly string[] = [],
): Promise<{
  readonly definition: Runtime.ServerDefinition;
  /** Contains `project/`; tests may add other files. */
  readonly folder: string;
  remove(): Promise<void>;
}> {
  const folder = await generate([...earlier, schema]);
  return { definition: await definitionIn(folder), folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

/**
 * Servers of a project that is generated from the text of a schema. They run the runtime's sources, not its build. `folder` has the project.
 */
export async function openSchema(schema: string): Promise<TestProject & { readonly folder: string }> {
  const generated = await generateProject(schema);
  const project = await openProject(generated.definition);
  return {
    ...project,
    folder: join(generated.folder, 'project'),
    async remove() {
      await project.remove();
      await generated.remove();
    },
  };
}

/** The next version of a project, in a folder of its own: its schema has changed, and servers of the former version all end before. */
export async function openNextSchema(
  former: { readonly folder: string },
  schema: string,
): Promise<TestProject & { readonly folder: string }> {
  projects += 1;
  const folder = join(root, '.tmp', `served-${process.pid}-${threadId}-${projects}`);
  await cp(dirname(former.folder), folder, { recursive: true });
  await writeFile(join(folder, 'schema.yaml'), schema);
  await buildAfterOld(join(folder, 'schema.yaml'), folder);
  const project = await openProject(await definitionIn(folder));
  return {
    ...project,
    folder: join(folder, 'project'),
    async remove() {
      await project.remove();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function definitionIn(folder: string): Promise<Runtime.ServerDefinition> {
  const app = await load<{ definition: Runtime.ServerDefinition }>(join(folder, 'project/src/generated/app.ts'));
  return app.definition;
}

/**
 * Generates and starts a project. `extensions` is the path of a file that replaces its `src/extensions/index.ts`, or of a folder
 * that replaces `src/extensions`; `earlier` are schemas of previous builds.
 */
export async function serveProject(
  schema: string,
  {
    extensions,
    environment = {},
    earlier = [],
    allowDestructive = [],
  }: {
    readonly extensions?: string;
    readonly environment?: Readonly<Record<string, string>>;
    readonly earlier?: readonly string[];
    readonly allowDestructive?: readonly string[];
  } = {},
): Promise<ServedProject> {
  const folder = await generate([...earlier, schema], allowDestructive);
  await linkRuntime(join(folder, 'project'));
  const { createServer, readSettings } = await load<typeof Runtime>(join(folder, 'project/runtime/lib/index.js'));
  const definition = await definitionIn(folder);
  const own = join(folder, 'project/src/extensions/index.ts');
  if (extensions !== undefined) {
    const isFolder = (await stat(extensions)).isDirectory();
    await cp(extensions, isFolder ? dirname(own) : own, { recursive: true });
  }
  const databaseUrl = `sqlite:${join(folder, 'test.db')}`;
  const variables = { ...SETTINGS, DATABASE_URL: databaseUrl, UPLOAD_DIR: join(folder, 'uploads'), ...environment };
  const server = await createServer(definition, {
    settings: readSettings(definition.name, variables),
    extensions: (await load<{ default: Runtime.AnyExtensions }>(own)).default,
  });
  const { host, port } = await server.listen();
  return {
    project: join(folder, 'project'),
    definition,
    origin: `http://${host}:${port}`,
    databaseUrl: variables.DATABASE_URL,
    async close() {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The text of `fixtures/<name>/schema.yaml`. */
export function fixtureSchema(name: string): Promise<string> {
  return readFile(join(root, 'fixtures', name, 'schema.yaml'), 'utf8');
}
