/**
 * The team's own part of the admin page: the modules of `src/extensions/admin/`, which the compiler of the project writes to `dist/`.
 * They have addresses with a hash of all of them, so that browsers keep them, and imports between them are to the same version.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { extname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AdminOwnPart } from '../../contract/admin.ts';
import { NotFoundError } from '../../contract/errors.ts';
import { listFiles, type PageFile, pageFile } from './page-files.ts';

/** Where the page is served, and this part of it. */
const BASE = '/admin/extensions/';

/** The address that says which version there is, during development. */
const VERSION = 'version';

/** Source maps, and what else a compiler leaves, are not part of the page. */
const SERVED = new Set(['.js', '.css', '.svg', '.json']);

interface Found {
  readonly file: PageFile;
  /** Whether its address always leads to the same text. */
  readonly isLasting: boolean;
  /** Whether it is asked for again and again. */
  readonly isPolled?: true;
}

/** What a folder has. */
interface Version {
  readonly hash: string;
  readonly sources: ReadonlyMap<string, Buffer>;
}

export interface OwnPart {
  /** What the page is told; undefined if there is none. */
  described(): Promise<AdminOwnPart | undefined>;
  /** The file at a path below its base; undefined if there is no such part. Throws NotFoundError. */
  answer(path: string): Promise<Found | undefined>;
}

/** `src/` has modules in TypeScript; there, they are served without their types. */
function isSource(path: string): boolean {
  return path.endsWith('.ts') && !path.endsWith('.d.ts');
}

async function readVersion(folder: string, production: boolean): Promise<Version | undefined> {
  const wanted = (path: string): boolean => SERVED.has(extname(path)) || (!production && isSource(path));
  const paths = (await listFiles(folder)).filter(wanted).sort();
  const sources = new Map<string, Buffer>();
  const hash = createHash('sha256');
  for (const path of paths) {
    const name = relative(folder, path).split(sep).join('/');
    const bytes = await readFile(path);
    sources.set(name, bytes);
    hash.update(`${name}\0${bytes.length}\0`).update(bytes);
  }
  if (!sources.has('index.js') && !sources.has('index.ts')) return undefined;
  return { hash: hash.digest('base64url').slice(0, 22), sources };
}

interface Transpiler {
  transformSync(
    text: string,
    options: {
      readonly loader: 'ts';
      readonly target: string;
      readonly sourcemap: 'inline';
      readonly sourcefile: string;
    },
  ): { readonly code: string };
}

/** Runs the sources of the server during development. */
const RUNNER = 'tsx';

/** Its transpiler, or that of the project. */
function transpilerOf(folder: string): Transpiler {
  const own = createRequire(join(folder, 'index.ts'));
  try {
    return createRequire(own.resolve(RUNNER))('esbuild') as Transpiler;
  } catch {
    return own('esbuild') as Transpiler;
  }
}

function withoutTypes(folder: string, name: string, bytes: Buffer): Buffer {
  const options = { loader: 'ts', target: 'es2023', sourcemap: 'inline', sourcefile: name } as const;
  return Buffer.from(transpilerOf(folder).transformSync(bytes.toString(), options).code);
}

/** `folder` is that of the modules: of `dist/` once the project is compiled, of `src/` during development. */
export function openOwnPart(folder: URL | undefined, production: boolean): OwnPart | undefined {
  if (folder === undefined) return undefined;
  const path = fileURLToPath(folder);
  const kept = new Map<string, PageFile>();
  let reading: Promise<Version | undefined> | undefined;
  const version = async (): Promise<Version | undefined> => {
    if (!production) return await readVersion(path, production);
    const started = (reading ??= readVersion(path, production));
    return await started.catch((error: unknown) => {
      reading = undefined;
      throw error;
    });
  };
  const fileOf = (name: string, { sources, hash }: Version): PageFile => {
    const ofType = name.replace(/\.js$/u, '.ts');
    const source = sources.has(name) ? name : ofType;
    const bytes = sources.get(source);
    if (!bytes) throw new NotFoundError();
    const key = `${hash}/${source}`;
    const known = kept.get(key);
    if (known) return known;
    // Of former versions.
    for (const other of kept.keys()) if (!other.startsWith(`${hash}/`)) kept.delete(other);
    const file = isSource(source) ? pageFile('module.js', withoutTypes(path, source, bytes)) : pageFile(source, bytes);
    kept.set(key, file);
    return file;
  };
  return {
    async described() {
      const found = await version();
      if (!found) return undefined;
      return { module: `${BASE}${found.hash}/index.js`, ...(!production && { version: `${BASE}${VERSION}` }) };
    },
    async answer(asked) {
      const found = await version();
      if (!found) return undefined;
      if (!production && asked === VERSION) {
        return { file: pageFile('version.txt', Buffer.from(found.hash)), isLasting: false, isPolled: true };
      }
      const [hash, ...rest] = asked.split('/');
      // Another process may already have the next version.
      return { file: fileOf(rest.join('/'), found), isLasting: production && hash === found.hash };
    },
  };
}
