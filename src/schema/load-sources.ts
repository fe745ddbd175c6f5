/** Reads the schema files named on the command line. No other code in this folder accesses the disk. */
import { constants, type Stats } from 'node:fs';
import { type FileHandle, open, readdir, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { DiagnosticCode } from '../diagnostics/codes.ts';
import type { Diagnostic, Result } from '../diagnostics/diagnostic.ts';
import { sortDiagnostics } from '../diagnostics/sort-diagnostics.ts';
import { visibleText } from '../diagnostics/visible-text.ts';
import { decodeSource } from './decode-source.ts';
import type { SourceFile } from './source-file.ts';

/** In bytes. A schema of a thousand types takes about a quarter of that. */
const maxFileSize = 4 * 1024 * 1024;
const chunkSize = 64 * 1024;
const maxFilesOfDirectory = 1000;
const stdinName = '<stdin>';

interface Found {
  /** As shown to the user. */
  readonly file: string;
  readonly path: string;
}

function sourceError(code: DiagnosticCode, message: string, hint?: string): Diagnostic {
  return { code, severity: 'error', message, ...(hint === undefined ? {} : { hint }) };
}

function shownPath(path: string, cwd: string): string {
  const shown = relative(cwd, path) || '.';
  return isAbsolute(shown) ? shown : shown.split(sep).join('/');
}

/** Describes a failed system call, independently of the operating system. */
function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: 'there is no such file or directory',
    ENOTDIR: 'part of the path is not a directory',
    EACCES: 'permission denied',
    EPERM: 'permission denied',
    ELOOP: 'the symbolic links of the path form a loop',
    ENAMETOOLONG: 'the path is too long',
  };
  return (Object.hasOwn(reasons, code) ? reasons[code] : undefined) ?? (code || String(error));
}

function unreadable(file: string, error: unknown): Diagnostic {
  return sourceError('source/unreadable', `cannot read ${visibleText(file)}: ${reasonOf(error)}`);
}

function checkKind(file: string, info: Stats): Diagnostic | undefined {
  if (!info.isFile()) return sourceError('source/not-a-file', `${visibleText(file)} is neither a file nor a directory`);
  if (info.size <= maxFileSize) return undefined;
  return sourceError('source/too-large', `${visibleText(file)} has ${info.size} bytes; the maximum is ${maxFileSize}`);
}

/** The content of a file; `undefined` if it has more than `max` bytes, whatever size was reported for it. */
async function readAtMost(handle: FileHandle, max: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for (;;) {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(chunkSize), 0, chunkSize);
    if (bytesRead === 0) return Buffer.concat(chunks);
    length += bytesRead;
    if (length > max) return undefined;
    chunks.push(buffer.subarray(0, bytesRead));
  }
}

/** Reads one file. Opens it without blocking and checks its kind once open, so that a pipe in its place can't block. */
async function readSource({ file, path }: Found): Promise<Result<SourceFile>> {
  try {
    const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const wrong = checkKind(file, await handle.stat());
      if (wrong !== undefined) return { value: undefined, diagnostics: [wrong] };
      const bytes = await readAtMost(handle, maxFileSize);
      if (bytes === undefined) {
        const tooLarge = sourceError(
          'source/too-large',
          `${visibleText(file)} has more than ${maxFileSize} bytes, which is the maximum`,
        );
        return { value: undefined, diagnostics: [tooLarge] };
      }
      const { value: text, diagnostics } = decodeSource(file, bytes);
      return { value: text === undefined ? undefined : { file, text }, diagnostics };
    } finally {
      await handle.close();
    }
  } catch (error) {
    return { value: undefined, diagnostics: [unreadable(file, error)] };
  }
}

async function listDirectory(path: string, cwd: string): Promise<Result<readonly Found[]>> {
  const directory = shownPath(path, cwd);
  const names = (await readdir(path)).filter((name) => /\.ya?ml$/.test(name)).sort();
  if (names.length === 0) {
    const message = `the directory ${visibleText(directory)} contains no .yaml or .yml file`;
    return { value: undefined, diagnostics: [sourceError('source/empty-directory', message)] };
  }
  if (names.length > maxFilesOfDirectory) {
    const message = `the directory ${visibleText(directory)} contains ${names.length} schema files; the maximum is ${maxFilesOfDirectory}`;
    return { value: undefined, diagnostics: [sourceError('source/too-many-files', message)] };
  }
  const found = names.map((name) => join(path, name)).map((file) => ({ file: shownPath(file, cwd), path: file }));
  return { value: found, diagnostics: [] };
}

async function find(name: string, cwd: string): Promise<Result<readonly Found[]>> {
  const path = resolve(cwd, name);
  const file = shownPath(path, cwd);
  try {
    const info = await stat(path);
    if (info.isDirectory()) return await listDirectory(path, cwd);
    const wrong = checkKind(file, info);
    if (wrong !== undefined) return { value: undefined, diagnostics: [wrong] };
    return { value: [{ file, path }], diagnostics: [] };
  } catch (error) {
    return { value: undefined, diagnostics: [unreadable(file, error)] };
  }
}

function fromStdin(stdin: string | undefined): Result<SourceFile> {
  if (stdin !== undefined) return { value: { file: stdinName, text: stdin.replace(/\r\n?/g, '\n') }, diagnostics: [] };
  const hint = 'specify a schema file: npx content-gen build schema.yaml';
  return {
    value: undefined,
    diagnostics: [sourceError('source/stdin', 'reading the schema from standard input (`-`) is not supported', hint)],
  };
}

/**
 * Reads files and directories (for a directory, all `.yaml` and `.yml` files directly inside, sorted by name). `-`
 * stands for the text `stdin`. A file named twice is read once. Reports every path that can't be read.
 */
export async function loadSources(
  paths: readonly string[],
  cwd: string,
  stdin?: string,
): Promise<Result<readonly SourceFile[]>> {
  const sources: SourceFile[] = [];
  const diagnostics: Diagnostic[] = [];
  const seen = new Set<string>();
  const add = (result: Result<SourceFile>): void => {
    diagnostics.push(...result.diagnostics);
    if (result.value !== undefined) sources.push(result.value);
  };
  for (const name of paths) {
    if (name === '-') {
      if (!seen.has(name)) add(fromStdin(stdin));
      seen.add(name);
      continue;
    }
    const found = await find(name, cwd);
    diagnostics.push(...found.diagnostics);
    for (const entry of found.value ?? []) {
      const identity = await realpath(entry.path).catch(() => entry.path);
      if (seen.has(identity)) continue;
      seen.add(identity);
      add(await readSource(entry));
    }
  }
  return { value: diagnostics.length > 0 ? undefined : sources, diagnostics: sortDiagnostics(diagnostics) };
}
