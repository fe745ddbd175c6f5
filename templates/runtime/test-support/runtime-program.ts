/** Programs that use the runtime in processes of their own, so that they can be killed or run concurrently. */
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import typescript from 'typescript';

const SOURCE = join(import.meta.dirname, '..', 'src');

/** Where the packages of the runtime are installed, which may be above it. */
const PACKAGES = dirname(dirname(createRequire(import.meta.url).resolve('typescript/package.json')));

const compilerOptions = {
  target: typescript.ScriptTarget.ES2023,
  module: typescript.ModuleKind.ESNext,
  rewriteRelativeImportExtensions: true,
  verbatimModuleSyntax: true,
};

/** Compiles layers of the runtime's source into `into`. */
async function compile(into: string, layers: readonly string[]): Promise<void> {
  for (const layer of layers) {
    for (const name of readdirSync(join(SOURCE, layer), { recursive: true, encoding: 'utf8' })) {
      if (!name.endsWith('.ts') || name.endsWith('.test.ts')) continue;
      const source = readFileSync(join(SOURCE, layer, name), 'utf8');
      const { outputText } = typescript.transpileModule(source, { compilerOptions, fileName: name });
      const target = join(into, layer, name.replace(/\.ts$/u, '.js'));
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, outputText);
    }
  }
}

/**
 * Writes `program`, an ES module that imports `./database/sqlite.js` and the like, into an empty folder. Answers the
 * path of the file to run.
 */
export async function writeProgram(into: string, program: string): Promise<string> {
  await mkdir(into, { recursive: true });
  await symlink(PACKAGES, join(into, 'node_modules'));
  await writeFile(join(into, 'package.json'), '{ "type": "module" }');
  await compile(into, ['contract', 'base', 'database', 'migrator']);
  await writeFile(join(into, 'main.js'), program);
  return join(into, 'main.js');
}
