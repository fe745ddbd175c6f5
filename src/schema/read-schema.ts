/** Turns the text of schema files into validated definitions. */
import type { Diagnostic, Result, SourceLocation } from '../diagnostics/diagnostic.ts';
import { type Report, reportError } from '../diagnostics/report.ts';
import { diagnosticsOfRun, hasErrors } from '../diagnostics/sort-diagnostics.ts';
import type { Located, SchemaDefinition } from './definition.ts';
import { type FileDefinition, mergeFiles } from './merge.ts';
import { parseYaml } from './parse-yaml.ts';
import { readApi } from './read-api.ts';
import { readComponents, readContentTypes, readUsers } from './read-content-type.ts';
import { readPermissions } from './read-permissions.ts';
import { attempt, type Fields, type Reader, readFields } from './reader.ts';
import { rootOptions } from './root-options.ts';
import type { SourceFile } from './source-file.ts';
import { createLocate } from './source-positions.ts';

function startOf(source: SourceFile): SourceLocation {
  return { file: source.file, line: 1, column: 1, length: 1 };
}

/** A value with the location of its key, to be shown if another file defines it too. */
function keyed<T>(fields: Fields, key: string, value: T | undefined): Located<T> | undefined {
  const entry = fields.get(key);
  return entry === undefined || value === undefined ? undefined : { value, location: entry.location };
}

/** The value of a setting of the whole schema; undefined if it has any error. */
function settingOf<T>(reader: Reader, read: (reader: Reader) => T): T | undefined {
  const { value, failed } = attempt(reader, read);
  return failed ? undefined : value;
}

const KEYS = Object.keys(rootOptions);

/** A minimal schema. */
const EXAMPLE = 'for example contentTypes: { article: { attributes: { title: { type: string } } } }';

function readFile(source: SourceFile, report: Report, unread: Set<string>): FileDefinition | undefined {
  const locate = createLocate(source);
  const { value: node, diagnostics } = parseYaml(source.text, locate);
  for (const diagnostic of diagnostics) report(diagnostic);
  if (node === undefined) return undefined;
  const reader: Reader = { locate, report, unread };
  const reading = { node, location: startOf(source), what: 'the schema' };
  const fields = readFields(reader, reading, KEYS, { example: EXAMPLE });
  if (fields === undefined) return undefined;
  return {
    name: rootOptions.name.shape.read(reader, fields, 'name'),
    databases: settingOf(reader, (own) =>
      keyed(fields, 'databases', rootOptions.databases.shape.read(own, fields, 'databases')),
    ),
    locales: settingOf(reader, (own) =>
      keyed(fields, 'locales', rootOptions.locales.shape.read(own, fields, 'locales')),
    ),
    api: readApi(reader, fields.get('api')),
    docs: settingOf(reader, (own) => keyed(fields, 'docs', rootOptions.docs.shape.read(own, fields, 'docs')?.value)),
    mcp: settingOf(reader, (own) => keyed(fields, 'mcp', rootOptions.mcp.shape.read(own, fields, 'mcp')?.value)),
    graphql: settingOf(reader, (own) =>
      keyed(fields, 'graphql', rootOptions.graphql.shape.read(own, fields, 'graphql')?.value),
    ),
    admin: settingOf(reader, (own) =>
      keyed(fields, 'admin', rootOptions.admin.shape.read(own, fields, 'admin')?.value),
    ),
    webhooks: settingOf(reader, (own) =>
      keyed(fields, 'webhooks', rootOptions.webhooks.shape.read(own, fields, 'webhooks')?.value),
    ),
    cacheTags: settingOf(reader, (own) =>
      keyed(fields, 'cacheTags', rootOptions.cacheTags.shape.read(own, fields, 'cacheTags')?.value),
    ),
    costs: settingOf(reader, (own) =>
      keyed(fields, 'costs', rootOptions.costs.shape.read(own, fields, 'costs')?.value),
    ),
    audit: settingOf(reader, (own) =>
      keyed(fields, 'audit', rootOptions.audit.shape.read(own, fields, 'audit')?.value),
    ),
    events: settingOf(reader, (own) =>
      keyed(fields, 'events', rootOptions.events.shape.read(own, fields, 'events')?.value),
    ),
    jobs: settingOf(reader, (own) => keyed(fields, 'jobs', rootOptions.jobs.shape.read(own, fields, 'jobs')?.value)),
    schedules: settingOf(reader, (own) =>
      keyed(fields, 'schedules', rootOptions.schedules.shape.read(own, fields, 'schedules')?.value),
    ),
    uploads: settingOf(reader, (own) =>
      keyed(fields, 'uploads', rootOptions.uploads.shape.read(own, fields, 'uploads')?.value),
    ),
    runtime: settingOf(reader, (own) =>
      keyed(fields, 'runtime', rootOptions.runtime.shape.read(own, fields, 'runtime')?.value),
    ),
    contentTypes: readContentTypes(reader, fields.get('contentTypes')),
    components: readComponents(reader, fields.get('components')),
    users: readUsers(reader, fields.get('users')),
    roles: readPermissions(reader, fields.get('permissions')),
  };
}

/** `dir/my-blog.yaml` → `my-blog` */
function nameOfFile(file: string): string {
  const base = file.slice(file.lastIndexOf('/') + 1);
  return base.replace(/\.[^.]*$/, '');
}

/**
 * The readable part of a schema with errors, with which further checks are made so that all problems are reported at
 * once.
 */
export interface PartialSchema {
  readonly schema: SchemaDefinition;
  /** Names of types, components and attributes that could not be read. */
  readonly unread: ReadonlySet<string>;
}

/** `partial` is set if there are errors, but every file is valid YAML. */
export type SchemaReading = Result<SchemaDefinition> & { readonly partial?: PartialSchema | undefined };

/**
 * Reads `sources` and merges them into one schema. The problems of all files are reported together, sorted by file and
 * line. There is a value only if none of them is an error.
 */
export function readSchema(sources: readonly SourceFile[]): SchemaReading {
  const unread = new Set<string>();
  const diagnostics: Diagnostic[] = [];
  const report: Report = (diagnostic) => void diagnostics.push(diagnostic);
  const [first] = sources;
  if (first === undefined) {
    report({ code: 'source/none', severity: 'error', message: 'no schema file was specified' });
    return { value: undefined, diagnostics };
  }
  const files = sources.map((source) => readFile(source, report, unread)).filter((file) => file !== undefined);
  const schema = mergeFiles(files, { value: nameOfFile(first.file), location: startOf(first) }, report);
  const isWhole = files.length === sources.length && !hasErrors(diagnostics);
  if (isWhole && schema.contentTypes.length === 0) {
    reportError(report, {
      code: 'schema/no-content-type',
      message: 'the schema defines no content type',
      location: startOf(first),
      hint: EXAMPLE,
    });
  }
  const failed = hasErrors(diagnostics);
  const partial = failed && files.length === sources.length ? { schema, unread } : undefined;
  return { value: failed ? undefined : schema, partial, diagnostics: diagnosticsOfRun(diagnostics) };
}
