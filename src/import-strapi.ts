/** `content-gen import strapi`: converts a Strapi project, or an export of one, to a schema. */
import type { Diagnostic } from './diagnostics/diagnostic.ts';
import { checkFiles } from './import-strapi/check-draft.ts';
import { convertProject } from './import-strapi/convert-project.ts';
import { type PrintedFile, printParts, printWhole } from './import-strapi/print-draft.ts';
import { CODE_REPORT, type FileReport } from './import-strapi/code/code-report.ts';
import { namesOf } from './import-strapi/names.ts';
import { readCode, readDependencies, readSupport } from './import-strapi/read-code.ts';
import { readSource, type SourceOptions } from './import-strapi/read-source.ts';
import { type Taken, takenOf } from './import-strapi/report.ts';
import { type Finding, SourceError } from './import-strapi/strapi-project.ts';

export interface ImportOptions extends SourceOptions {
  /** The path of the project or export. */
  readonly source: string;
  /** Name of the single file to produce. Undefined: several files, which get names of their own. */
  readonly file: string | undefined;
}

/** Translated code: files of `src/extensions/`, formatted, and the report about them. */
export interface ImportedCode {
  /** Names are relative to the folder of the extensions. */
  readonly files: readonly PrintedFile[];
  readonly report: readonly FileReport[];
}

export interface Import {
  /** Names are relative to the schema folder. */
  readonly files: readonly PrintedFile[];
  readonly taken: Taken;
  readonly findings: readonly Finding[];
  /** The diagnostics of a build of these files. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Formats YAML as prettier does, since most users format theirs with it. */
async function formatted(text: string): Promise<string> {
  const { format } = await import('prettier');
  return format(text, { parser: 'yaml', printWidth: 140, singleQuote: true });
}

/** Formats code as in new projects. */
async function formattedCode(text: string): Promise<string> {
  const { format } = await import('prettier');
  try {
    return await format(text, { parser: 'typescript', printWidth: 120, singleQuote: true });
  } catch {
    // What was no valid code before stays as it is.
    return text;
  }
}

/** Translates the code of a project folder. Throws a SourceError or an ArchiveError. */
export async function importStrapiCode(source: string, options: SourceOptions): Promise<ImportedCode> {
  const project = await readSource(source, options);
  if (project.origin !== 'folder') {
    throw new SourceError(`${source} is an export, which has no code. Specify the folder of the project with --code.`);
  }
  const { translateCode } = await import('./import-strapi/code/translate-code.ts');
  const { files, report, text } = translateCode({
    project,
    names: namesOf(project, () => {}),
    files: await readCode(source),
    dependencies: await readDependencies(source),
    support: await readSupport(),
  });
  const printed: PrintedFile[] = [];
  for (const [name, code] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    printed.push({ name, text: await formattedCode(code) });
  }
  if (printed.length > 0) printed.push({ name: CODE_REPORT, text });
  return { files: printed, report };
}

/** Produces the schema files without writing them. Throws a SourceError or an ArchiveError. */
export async function importStrapi({ source, file, ...options }: ImportOptions): Promise<Import> {
  const { draft, findings } = convertProject(await readSource(source, options));
  const printed = file === undefined ? printParts(draft) : [{ name: file, text: printWhole(draft) }];
  const files = await Promise.all(printed.map(async ({ name, text }) => ({ name, text: await formatted(text) })));
  const diagnostics = checkFiles(files.map(({ name, text }) => ({ file: name, text })));
  return { files, taken: takenOf(draft), findings, diagnostics };
}
