/** `runtime/` as a team's own: the sources of the runtime, and those of its tests that need nothing of content-gen. */
import { posix } from 'node:path';
import { printJson } from '../json.ts';
import { listTemplates, readOwnPackage, readTemplate } from '../read-templates.ts';
import { ejectedPackage, type RuntimePackage } from './runtime-package.ts';

/** What is copied as it is, besides the sources. */
const SETTINGS = ['tsconfig.json', 'bin/command.js'];

/** What compiles and tests need, besides what tests import. */
const TOOLS = ['@types/node', 'typescript', 'vitest'];

/** What a module imports. */
function importsOf(text: string): string[] {
  const found = text.matchAll(/^(?:import|export)\b[^;]*?\bfrom '(?<name>[^']+)';$/gmu);
  return [...found].map(({ groups }) => groups?.['name'] ?? '');
}

/** Whether all that a module of `src/` imports by its path is in `src/` too. */
function standsAlone(path: string, text: string): boolean {
  return importsOf(text)
    .filter((name) => name.startsWith('.'))
    .every((name) => !posix.join(posix.dirname(path), name).startsWith('..'));
}

/** Path within the project → text. */
export function ejectedRuntime(): ReadonlyMap<string, string> {
  const sources = listTemplates('runtime/src/')
    .filter((path) => path.endsWith('.ts'))
    .map((path) => [path, readTemplate(`runtime/src/${path}`)] as const)
    .filter(([path, text]) => standsAlone(path, text));
  const imported = new Set(sources.flatMap(([, text]) => importsOf(text)));
  const source = JSON.parse(readTemplate('runtime/package.json')) as RuntimePackage;
  const tools = Object.entries(readOwnPackage().devDependencies).filter(
    ([name]) => TOOLS.includes(name) || imported.has(name),
  );
  return new Map([
    ['runtime/package.json', printJson(ejectedPackage(source, Object.fromEntries(tools)))],
    ['runtime/README.md', readTemplate('runtime/README.ejected.md')],
    ...SETTINGS.map((path) => [`runtime/${path}`, readTemplate(`runtime/${path}`)] as const),
    ...sources.map(([path, text]) => [`runtime/src/${path}`, text] as const),
  ]);
}
