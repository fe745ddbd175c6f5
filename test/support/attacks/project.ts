/** The generated project that test/attacks runs: cached for each state of the generator, the runtime and the schema. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type ts from 'typescript';
import { root } from '../project.ts';

const SCHEMA = readFileSync(join(root, 'fixtures/attacked/schema.yaml'), 'utf8');
/** Inside the repository, so that its packages are resolved. Not committed. */
const CACHE = join(root, '.tmp/attacked');
const STALE_MS = 3_600_000;

/** The paths of all files below a folder, relative to it. */
function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.endsWith('.test.ts') && !path.includes('/dist/'))
    .sort();
}

/** `documents` adds document ids to the schema, so that the server supports both formats. */
export type Variant = 'plain' | 'documents';

const SCHEMAS: Readonly<Record<Variant, string>> = {
  plain: SCHEMA,
  documents: SCHEMA.replace('name: attacked', '$&\napi: { format: v4 }'),
};

/** The hash of everything that the project is made from. */
function fingerprint(schema: string): string {
  const hash = createHash('sha256').update(schema);
  const sources = ['src', 'templates'].flatMap((folder) => filesBelow(join(root, folder)));
  const seed = ['project', 'seed', 'canaries'].map((name) => join(root, `test/support/attacks/${name}.ts`));
  for (const path of [...sources, ...seed]) hash.update(`\0${path}\0`).update(readFileSync(path));
  return hash.digest('hex').slice(0, 16);
}

/** Compiles `src/` to `dist/` like `npm run build`, but without type checking, which other tests cover. */
function transpile({ transpileModule, ModuleKind, ScriptTarget }: typeof ts, folder: string): void {
  const compilerOptions: ts.CompilerOptions = {
    module: ModuleKind.ESNext,
    target: ScriptTarget.ES2022,
    verbatimModuleSyntax: true,
    rewriteRelativeImportExtensions: true,
  };
  for (const path of filesBelow(join(folder, 'src'))) {
    const { outputText } = transpileModule(readFileSync(path, 'utf8'), { compilerOptions, fileName: path });
    const target = path.replace(`${folder}/src/`, `${folder}/dist/`).replace(/\.ts$/, '.js');
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, outputText);
  }
}

/** Links the project's own runtime into node_modules, as npm would. */
function linkRuntime(project: string): void {
  const scope = join(project, 'node_modules/@content-gen');
  mkdirSync(scope, { recursive: true });
  symlinkSync(join('..', '..', 'runtime'), join(scope, 'runtime'));
}

async function generate(out: string, text: string): Promise<void> {
  // Imported only if there is something to generate: both take longer to load than a server to start.
  const { build } = await import('../../../src/build.ts');
  const { default: typescript } = await import('typescript');
  const schema = join(out, 'schema.yaml');
  mkdirSync(out, { recursive: true });
  writeFileSync(schema, text);
  const report = await build({
    schema: [schema],
    cwd: root,
    out,
    mode: 'write',
    diff: false,
    overwrite: [],
    onWait: () => {},
  });
  if (report.outcome !== 'written') throw new Error(JSON.stringify(report.diagnostics, undefined, 2));
  transpile(typescript, out);
  linkRuntime(out);
}

async function removeStale(keep: string): Promise<void> {
  for (const name of readdirSync(CACHE)) {
    const path = join(CACHE, name);
    if (name !== keep && Date.now() - statSync(path).mtimeMs > STALE_MS) {
      await rm(path, { recursive: true, force: true });
    }
  }
}

/**
 * The folder of the project, ready to start. For a new project, `finish` is called once with its temporary folder, before other
 * processes see it; what it writes there is kept.
 */
export async function attackedProject(
  finish: (project: string) => Promise<void>,
  variant: Variant = 'plain',
): Promise<string> {
  mkdirSync(CACHE, { recursive: true });
  const schema = SCHEMAS[variant];
  const name = fingerprint(schema);
  const project = join(CACHE, name);
  if (existsSync(project)) return project;
  const fresh = join(CACHE, `${name}.${process.pid}`);
  await generate(fresh, schema);
  await finish(fresh);
  // Another worker may have been faster: its project is equivalent.
  await rename(fresh, project).catch(() => rm(fresh, { recursive: true, force: true }));
  await removeStale(name);
  return project;
}
