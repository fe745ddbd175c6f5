/** `content-gen import strapi`: converts a Strapi project, or an export of one, to a schema. */
import type { Diagnostic } from './diagnostics/diagnostic.ts';
import { checkFiles } from './import-strapi/check-draft.ts';
import { convertProject } from './import-strapi/convert-project.ts';
import { type PrintedFile, printParts, printWhole } from './import-strapi/print-draft.ts';
import { readSource, type SourceOptions } from './import-strapi/read-source.ts';
import { type Taken, takenOf } from './import-strapi/report.ts';
import type { Finding } from './import-strapi/strapi-project.ts';

export interface ImportOptions extends SourceOptions {
  /** The path of the project or export. */
  readonly source: string;
  /** Name of the single file to produce. Undefined: several files, which get names of their own. */
  readonly file: string | undefined;
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

/** Produces the schema files without writing them. Throws a SourceError or an ArchiveError. */
export async function importStrapi({ source, file, ...options }: ImportOptions): Promise<Import> {
  const { draft, findings } = convertProject(await readSource(source, options));
  const printed = file === undefined ? printParts(draft) : [{ name: file, text: printWhole(draft) }];
  const files = await Promise.all(printed.map(async ({ name, text }) => ({ name, text: await formatted(text) })));
  const diagnostics = checkFiles(files.map(({ name, text }) => ({ file: name, text })));
  return { files, taken: takenOf(draft), findings, diagnostics };
}
