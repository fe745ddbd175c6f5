/**
 * Identifies a generator: two generators with the same fingerprint print the same content from the same source. The
 * fingerprint is the same whether the generator runs from its sources or compiled.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { hashText } from '../files/hash.ts';
import { byCodePoint } from './project-path.ts';

/** `src/` or `dist/`: the folder that this code runs from. */
const CODE = new URL('../', import.meta.url);
const PACKAGE = new URL('../', CODE);

/**
 * Folders whose code determines generated content, and what is reported about a schema. Whole folders, since code shared
 * between emitters is easily overlooked.
 */
const CODE_FOLDERS = ['diagnostics', 'emit', 'files', 'migrations', 'model', 'output', 'schema', 'storage'];

/** Code shared by generator and runtime. */
const CONTRACT = new URL('templates/runtime/src/contract/', PACKAGE);

/** Written next to the compiled code on compilation, because compiled code has different hashes than its sources. */
export const STAMP = 'generator.sha256';

/** The fingerprint of this generator: its version, and a hash of its code, templates and dependency versions. */
export function generatorFingerprint(): string {
  const { version, dependencies } = JSON.parse(readText(new URL('package.json', PACKAGE)) ?? '{}');
  const code = readText(new URL(STAMP, CODE))?.trim() ?? hashOfCode(CODE);
  const templates = hashOfFiles(new URL('templates/project/', PACKAGE), () => true);
  return `${String(version)} ${hashText(JSON.stringify([dependencies, code, templates]))}`;
}

/** The version in a fingerprint; undefined if it is malformed. */
export function versionOf(fingerprint: string): string | undefined {
  return /^(?<version>\S+) [0-9a-f]{64}$/u.exec(fingerprint)?.groups?.['version'];
}

/** A hash of the code in `root` (`src/` or `dist/`) and in the contract that determines generated content. */
export function hashOfCode(root: URL): string {
  const folders = [...CODE_FOLDERS.map((folder) => new URL(`${folder}/`, root)), CONTRACT];
  return hashText(folders.map((folder) => hashOfFiles(folder, isCode)).join());
}

function isCode(name: string): boolean {
  return /\.[jt]s$/.test(name) && !/\.test\.[jt]s$/.test(name);
}

/** A hash of the names and texts of files. Line endings don't count; a missing folder equals an empty one. */
function hashOfFiles(folder: URL, isIncluded: (name: string) => boolean): string {
  const paths = listFiles(folder, '').filter(isIncluded).sort(byCodePoint);
  const parts = paths.map((path) => [path, hashText((readText(new URL(path, folder)) ?? '').replaceAll('\r\n', '\n'))]);
  return hashText(JSON.stringify(parts));
}

function listFiles(folder: URL, prefix: string): readonly string[] {
  let entries;
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
  return entries.flatMap((entry) =>
    entry.isDirectory()
      ? listFiles(new URL(`${entry.name}/`, folder), `${prefix}${entry.name}/`)
      : [prefix + entry.name],
  );
}

function readText(file: URL): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
