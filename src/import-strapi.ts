/** `content-gen import strapi`: a schema from a Strapi project or an export of it. */
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
  /** One file of this name, or several with names of their own. */
  readonly file: string | undefined;
}

export interface Import {
  /** Names are within the folder of the schema. */
  readonly files: readonly PrintedFile[];
  readonly taken: Taken;
  readonly findings: readonly Finding[];
  /** What a build would say of the files. */
  readonly diagnostics: readonly Diagnostic[];
}

/** In the shape that prettier gives YAML, in which people have it. */
async function formatted(text: string): Promise<string> {
  const { format } = await import('prettier');
  return format(text, { parser: 'yaml', printWidth: 140, singleQuote: true });
}

/** Makes the files of a schema; nothing is written. Throws a SourceError or an ArchiveError. */
export async function importStrapi({ source, file, ...options }: ImportOptions): Promise<Import> {
  const { draft, findings } = convertProject(await readSource(source, options));
  const printed = file === undefined ? printParts(draft) : [{ name: file, text: printWhole(draft) }];
  const files = await Promise.all(printed.map(async ({ name, text }) => ({ name, text: await formatted(text) })));
  const diagnostics = checkFiles(files.map(({ name, text }) => ({ file: name, text })));
  return { files, taken: takenOf(draft), findings, diagnostics };
}
