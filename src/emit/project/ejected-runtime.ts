/** `runtime/` as ejected: the sources of the runtime, its tests, and their helpers. */
import { adminTexts } from '../built-files.ts';
import { printJson } from '../json.ts';
import { listTemplates, readOwnPackage, readTemplate } from '../read-templates.ts';
import { ejectedPackage, readRuntimePackage } from './runtime-package.ts';

/** Copied unchanged, in addition to the sources and test helpers. */
const SETTINGS = ['tsconfig.json', 'vitest.config.ts', 'bin/command.js'];

/** Packages needed for compiling and testing, in addition to those that sources and tests import, and their types. */
const TOOLS = ['@types/node', 'typescript', 'vitest'];

/** The specifiers of a module's imports. */
function importsOf(text: string): string[] {
  const found = text.matchAll(/^(?:import|export)\b[^;]*?\bfrom '(?<name>[^']+)';$/gmu);
  return [...found].map(({ groups }) => groups?.['name'] ?? '');
}

/** Path within the project → text. */
export function ejectedRuntime(): ReadonlyMap<string, string> {
  const paths = ['src/', 'test-support/'].flatMap((folder) =>
    listTemplates(`runtime/${folder}`).map((path) => `runtime/${folder}${path}`),
  );
  const sources = paths
    .filter((path) => !path.startsWith('runtime/src/') || path.endsWith('.ts'))
    .map((path) => [path, readTemplate(path)] as const);
  const assets = listTemplates('runtime/dist/assets/').map((name) => `assets/${name}`);
  const imported = new Set(sources.flatMap(([, text]) => importsOf(text)));
  const source = readRuntimePackage();
  const tools = Object.entries(readOwnPackage().devDependencies).filter(
    ([name]) => TOOLS.includes(name) || imported.has(name.replace(/^@types\//u, '')),
  );
  return new Map([
    ['runtime/package.json', printJson(ejectedPackage(source, Object.fromEntries(tools)))],
    ['runtime/README.md', readTemplate('runtime/README.ejected.md')],
    ...SETTINGS.map((path) => [`runtime/${path}`, readTemplate(`runtime/${path}`)] as const),
    ...assets.map((path) => [`runtime/${path}`, readTemplate(`runtime/dist/${path}`)] as const),
    ...[...adminTexts()].map(([path, text]) => [`runtime/admin/${path}`, text] as const),
    ...sources,
  ]);
}
