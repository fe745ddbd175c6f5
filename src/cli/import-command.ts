/** `content-gen import strapi`. */
import { lstat, mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { ArchiveError } from '../strapi/archive-error.ts';
import { archiveKey } from '../strapi/archive-key.ts';
import { renderText } from '../diagnostics/render-text.ts';
import { visibleText } from '../diagnostics/visible-text.ts';
import type { Import } from '../import-strapi.ts';
import { renderFindings } from '../import-strapi/report.ts';
import { SourceError } from '../import-strapi/strapi-project.ts';
import { EXIT } from './exit-codes.ts';
import { colorsOf, type Io } from './io.ts';

export interface ImportFlags {
  readonly out: string;
  readonly split?: boolean;
  readonly keyFile?: string;
  readonly strapi?: '4' | '5';
  readonly force?: boolean;
  readonly json?: boolean;
}

/** Where to write the files. */
interface Target {
  /** Absolute. */
  readonly folder: string;
  /** Undefined if there are several files. */
  readonly file: string | undefined;
}

function targetOf({ out, split }: ImportFlags, cwd: string): Target {
  const path = resolve(cwd, out);
  return split ? { folder: path, file: undefined } : { folder: dirname(path), file: basename(path) };
}

/** The names of the files that exist already. */
async function existing({ files }: Import, { folder }: Target): Promise<readonly string[]> {
  const found = await Promise.all(
    files.map(async ({ name }) => ((await lstat(join(folder, name)).catch(() => undefined)) ? name : undefined)),
  );
  return found.filter((name) => name !== undefined);
}

/** Why the source can't be read, for the user; undefined if the error is a defect. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof SourceError || error instanceof ArchiveError) return error.message;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^E[A-Z]+$/u.test(code) && error instanceof Error ? error.message : undefined;
}

async function write({ files }: Import, { folder }: Target): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const { name, text } of files) await writeFile(join(folder, name), text);
}

function printText(made: Import, paths: readonly string[], io: Io): void {
  const { files, taken, findings, diagnostics } = made;
  io.stdout.write(renderFindings(taken, findings));
  io.stdout.write(`\nWrote ${paths.length === 1 ? paths[0] : `${paths.length} files`}.\n`);
  const sourceOf = (file: string): string | undefined => files.find(({ name }) => name === file)?.text;
  if (diagnostics.length > 0) {
    io.stderr.write(renderText(diagnostics, { sourceOf, colors: colorsOf(io.stderr, io) }));
    io.stderr.write('\nFix this in the schema before you build it.\n');
    return;
  }
  const [only] = paths;
  const schema = paths.length === 1 && only !== undefined ? only : dirname(only ?? '');
  // `init` uses a schema of this name if the folder has one.
  const next = schema === 'schema.yaml' ? 'init' : `build ${schema}`;
  io.stderr.write(`\nNext: review it, and run npx content-gen ${next}\n`);
}

/** Writes the schema, prints the report, and returns the exit code. */
export async function importCommand(source: string, flags: ImportFlags, io: Io): Promise<number> {
  const { importStrapi } = await import('../import-strapi.ts');
  const target = targetOf(flags, io.cwd);
  const refuse = (message: string, code: number): number => {
    if (flags.json) io.stdout.write(`${JSON.stringify({ error: message }, null, 2)}\n`);
    else io.stderr.write(`error: ${visibleText(message)}\n`);
    return code;
  };
  try {
    const key = await archiveKey(flags.keyFile && resolve(io.cwd, flags.keyFile), io.env);
    const major = flags.strapi === undefined ? undefined : flags.strapi === '4' ? 4 : 5;
    const made = await importStrapi({ source: resolve(io.cwd, source), key, major, file: target.file });
    const there = flags.force ? [] : await existing(made, target);
    const paths = made.files.map(({ name }) => relative(io.cwd, join(target.folder, name)));
    if (there.length > 0) {
      const message = `${there.join(', ')} ${there.length === 1 ? 'exists' : 'exist'} already. Choose another file with --out, or overwrite with --force.`;
      return refuse(message, EXIT.refused);
    }
    await write(made, target);
    if (flags.json) {
      const { taken, findings, diagnostics } = made;
      io.stdout.write(`${JSON.stringify({ files: paths, taken, findings, diagnostics }, null, 2)}\n`);
    } else printText(made, paths, io);
    return made.diagnostics.some(({ severity }) => severity === 'error') ? EXIT.input : EXIT.done;
  } catch (error) {
    const message = reasonOf(error);
    if (message === undefined) throw error;
    return refuse(message, EXIT.input);
  }
}
