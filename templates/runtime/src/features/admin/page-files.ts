/** The files of the built admin page. Each is compressed once per encoding. */
import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

export const ENCODINGS = ['br', 'gzip', 'identity'] as const;

type Encoding = (typeof ENCODINGS)[number];

/** A file, ready to be sent. */
export interface PageFile {
  readonly type: string;
  readonly etag: string;
  body(encoding: Encoding): Promise<Buffer>;
}

/** Files by path relative to the folder, such as `assets/index-D0AUCSOr.js`. */
export type PageFiles = ReadonlyMap<string, PageFile>;

/** The document served for every client-side route. */
export const DOCUMENT = 'index.html';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
};

/** Higher quality levels take seconds and save only a few percent. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

const COMPRESS: Readonly<Record<Encoding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, BROTLI),
  gzip: promisify(gzip),
  identity: (bytes) => Promise.resolve(bytes),
};

export function pageFile(path: string, bytes: Buffer): PageFile {
  const made = new Map<Encoding, Promise<Buffer>>();
  return {
    type: TYPES[extname(path)] ?? 'application/octet-stream',
    etag: createHash('sha256').update(bytes).digest('base64url').slice(0, 22),
    body(encoding) {
      const body = made.get(encoding) ?? COMPRESS[encoding](bytes);
      made.set(encoding, body);
      return body;
    },
  };
}

/** Candidate locations of the page, relative to the bundled module, to this module in a project, and to this module in the repository. */
const FOLDERS = ['../admin/', '../../../admin/', '../../../../admin/dist/'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
);

export async function listFiles(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

async function readFolder(folder: string): Promise<PageFiles> {
  const paths = await listFiles(folder);
  const files = paths.map(async (path) => {
    const name = relative(folder, path).split(sep).join('/');
    return [name, pageFile(name, await readFile(path))] as const;
  });
  return new Map(await Promise.all(files));
}

/** Whether this installation includes the admin page. */
export async function hasPage(): Promise<boolean> {
  const found = await Promise.all(FOLDERS.map((folder) => stat(join(folder, DOCUMENT)).catch(() => undefined)));
  return found.some((document) => document?.isFile());
}

/** All files of the page; undefined if this installation does not include it. */
export async function readPage(folders: readonly string[] = FOLDERS): Promise<PageFiles | undefined> {
  const [folder, ...others] = folders;
  if (folder === undefined) return undefined;
  const files = await readFolder(folder);
  return files.has(DOCUMENT) ? files : readPage(others);
}
