/**
 * Starts a project: writes a starter schema and runs the first build, with the files that only new projects get. All or
 * nothing.
 */
import { basename, join, resolve } from 'node:path';
import { buildModels, type BuildReport } from './build.ts';
import type { Diagnostic } from './diagnostics/diagnostic.ts';
import type { Json } from './emit/json.ts';
import { jsonFile, textFile } from './emit/managed-file.ts';
import { packageJson } from './emit/project/package-files.ts';
import { EDITOR_SETTINGS } from './emit/starter/editor-settings.ts';
import { starterPackage } from './emit/starter/starter-package.ts';
import { starterSchema } from './emit/starter/starter-schema.ts';
import type { GeneratedFile } from './files/generated-file.ts';
import { kebabCase } from './model/naming.ts';
import type { Dialect } from './model/content-model.ts';
import { readProjectText } from './output/disk.ts';
import { isProject } from './output/read-project.ts';
import { type ModelReading, readModels } from './read-models.ts';
import { loadSources } from './schema/load-sources.ts';

export interface InitOptions {
  /** Absolute. */
  readonly cwd: string;
  /** Relative to `cwd`. */
  readonly folder: string;
  /** Defaults to the name in the folder's package.json, or the name of the folder. */
  readonly name: string | undefined;
  readonly database: Dialect;
  /** The version of content-gen to depend on, as an npm specifier: `^0.2.0`, `file:../content-gen`. */
  readonly contentGen: string;
  readonly onWait: (processId: number) => void;
}

export interface InitReport extends BuildReport {
  /** What was added to an existing package.json: `scripts.dev`. */
  readonly added: readonly string[];
}

const SCHEMA = 'schema.yaml';
const PACKAGE = 'package.json';

type Members = { readonly [key: string]: Json | undefined };

/** Never throws for problems that the user can fix: they are in the report. */
export async function init(options: InitOptions): Promise<InitReport> {
  const { cwd, folder, contentGen, onWait } = options;
  const root = resolve(cwd, folder);
  const own = parsePackage(readProjectText(root, PACKAGE));
  if (isProject(root)) {
    return refused(
      'init/project',
      `${folder === '.' ? 'this folder' : folder} is already a project`,
      'to update it, run npx content-gen build',
    );
  }
  if (own === 'unreadable') {
    return refused(
      'init/package',
      `${PACKAGE} in ${folder} is not a JSON object`,
      'fix the file, or move it elsewhere',
    );
  }
  const { reading, schemaFile } = await readSchemaOf(root, own, options);
  const { models } = reading;
  const merged = models && starterPackage(packageJson(models.model), own, contentGen);
  const further = [
    ...schemaFile,
    ...(merged ? [jsonFile(PACKAGE, 'once', merged.package)] : []),
    ...Object.entries(EDITOR_SETTINGS).map(([path, value]) => jsonFile(path, 'once', value)),
  ];
  const report = await buildModels(
    { ...reading, models: models && { ...models, files: replaced(models.files, further) } },
    { cwd, out: folder, mode: 'write', diff: false, overwrite: own === undefined ? [] : [PACKAGE], onWait },
  );
  return { ...report, added: merged?.added ?? [] };
}

/** Reads the schema in the folder, or else the starter schema, which is then one of the files to write. */
async function readSchemaOf(
  root: string,
  own: Members | undefined,
  { cwd, folder, name, database }: InitOptions,
): Promise<{ readonly reading: ModelReading; readonly schemaFile: readonly GeneratedFile[] }> {
  if (readProjectText(root, SCHEMA) !== undefined) {
    return { reading: readModels(await loadSources([join(folder, SCHEMA)], cwd)), schemaFile: [] };
  }
  const text = await starterSchema({ name: name ?? nameOf(root, own), database });
  const reading = readModels({ value: [{ file: join(folder, SCHEMA), text }], diagnostics: [] });
  return { reading, schemaFile: [textFile(SCHEMA, 'once', text)] };
}

function nameOf(root: string, own: Members | undefined): string {
  const given = own?.['name'];
  return kebabCase(typeof given === 'string' ? given.replace(/^@[^/]*\//, '') : basename(root)) || 'content';
}

function parsePackage(text: string | undefined): Members | 'unreadable' | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : 'unreadable';
  } catch {
    return 'unreadable';
  }
}

/** `files`, with those of the same path replaced by `further`, followed by the rest of `further`. */
function replaced(files: readonly GeneratedFile[], further: readonly GeneratedFile[]): readonly GeneratedFile[] {
  const paths = new Set(further.map(({ path }) => path));
  return [...files.filter(({ path }) => !paths.has(path)), ...further];
}

function refused(code: Diagnostic['code'], message: string, hint: string): InitReport {
  const diagnostic: Diagnostic = { code, severity: 'error', kind: 'refused', message, hint };
  const nothing = { outcome: 'stopped', actions: [], migration: undefined, diff: undefined } as const;
  return { ...nothing, mode: 'write', out: undefined, sources: [], diagnostics: [diagnostic], added: [] };
}
