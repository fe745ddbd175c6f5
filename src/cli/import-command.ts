/** `content-gen import strapi`. */
import { lstat, mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { ArchiveError } from '../strapi/archive-error.ts';
import { archiveKey } from '../strapi/archive-key.ts';
import { renderText } from '../diagnostics/render-text.ts';
import { visibleText } from '../diagnostics/visible-text.ts';
import type { Import, ImportedCode } from '../import-strapi.ts';
import { CODE_REPORT, summaryOf } from '../import-strapi/code/code-report.ts';
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
  readonly code?: boolean;
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

type Files = Pick<Import, 'files'>;

/** The folder of the extensions, beside the schema. */
const EXTENSIONS = 'src/extensions';

/** The names of the files that exist already. */
async function existing({ files }: Files, { folder }: Pick<Target, 'folder'>): Promise<readonly string[]> {
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

async function write({ files }: Files, { folder }: Pick<Target, 'folder'>): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const { name, text } of files) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
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

/** Findings about files that were not translated, or not about files. */
function withoutTranslated(made: Import, { report }: ImportedCode): Import {
  const files = new Set(report.filter(({ outcome }) => outcome !== 'left').map(({ file }) => file));
  return { ...made, findings: made.findings.filter(({ place }) => place === undefined || !files.has(place)) };
}

function printCode({ files, report }: ImportedCode, folder: string, io: Io): void {
  io.stdout.write(`\nCode: ${summaryOf(report)}.\n`);
  for (const { file, outcome, marks, notes } of report) {
    if (outcome === 'generated' || (marks.length === 0 && notes.length === 0)) continue;
    io.stdout.write(`${visibleText(`  ${file}: ${outcome === 'partly' ? 'in part' : outcome}`)}\n`);
    for (const { line, reason } of marks) io.stdout.write(`${visibleText(`    line ${line}: ${reason}`)}\n`);
    for (const note of notes) io.stdout.write(`${visibleText(`    ${note}`)}\n`);
  }
  if (files.length > 0) {
    io.stdout.write(`\nWrote ${files.length} files to ${folder}: ${CODE_REPORT} is the report.\n\n`);
  }
}

/** Writes the schema, prints the report, and returns the exit code. */
export async function importCommand(source: string, flags: ImportFlags, io: Io): Promise<number> {
  const { importStrapi, importStrapiCode } = await import('../import-strapi.ts');
  const target = targetOf(flags, io.cwd);
  const codeFolder = join(flags.split ? dirname(target.folder) : target.folder, EXTENSIONS);
  const refuse = (message: string, code: number): number => {
    if (flags.json) io.stdout.write(`${JSON.stringify({ error: message }, null, 2)}\n`);
    else io.stderr.write(`error: ${visibleText(message)}\n`);
    return code;
  };
  try {
    const key = await archiveKey(flags.keyFile && resolve(io.cwd, flags.keyFile), io.env);
    const major = flags.strapi === undefined ? undefined : flags.strapi === '4' ? 4 : 5;
    const from = resolve(io.cwd, source);
    const whole = await importStrapi({ source: from, key, major, file: target.file });
    const code = flags.code ? await importStrapiCode(from, { key, major }) : undefined;
    const made = code ? withoutTranslated(whole, code) : whole;
    const shownFolder = relative(io.cwd, codeFolder);
    const ownCode = code ? (await existing(code, { folder: codeFolder })).map((name) => join(shownFolder, name)) : [];
    const there = flags.force ? [] : [...(await existing(made, target)), ...ownCode];
    const paths = made.files.map(({ name }) => relative(io.cwd, join(target.folder, name)));
    if (there.length > 0) {
      const message = `${there.join(', ')} ${there.length === 1 ? 'exists' : 'exist'} already. Choose another file with --out, or overwrite with --force.`;
      return refuse(message, EXIT.refused);
    }
    await write(made, target);
    if (code) await write(code, { folder: codeFolder });
    if (flags.json) {
      const { taken, findings, diagnostics } = made;
      const report = code ? { code: code.report } : {};
      io.stdout.write(`${JSON.stringify({ files: paths, taken, findings, diagnostics, ...report }, null, 2)}\n`);
    } else {
      if (code) printCode(code, shownFolder, io);
      printText(made, paths, io);
    }
    return made.diagnostics.some(({ severity }) => severity === 'error') ? EXIT.input : EXIT.done;
  } catch (error) {
    const message = reasonOf(error);
    if (message === undefined) throw error;
    return refuse(message, EXIT.input);
  }
}
