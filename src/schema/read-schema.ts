/** From the text of the schema files to checked definitions. */
import type { Diagnostic, Result, SourceLocation } from '../diagnostics/diagnostic.ts';
import { reportError } from '../diagnostics/report.ts';
import type { Report } from '../diagnostics/report.ts';
import { diagnosticsOfRun, hasErrors } from '../diagnostics/sort-diagnostics.ts';
import type { Located, SchemaDefinition } from './definition.ts';
import { dialects, rootKeys } from './keywords.ts';
import { mergeFiles } from './merge.ts';
import type { FileDefinition } from './merge.ts';
import { parseYaml } from './parse-yaml.ts';
import { readApi } from './read-api.ts';
import { readComponents, readContentTypes } from './read-content-type.ts';
import { choiceListField, textField, textListField } from './read-field.ts';
import { readPlainYaml } from './read-plain-yaml.ts';
import { readPermissions } from './read-permissions.ts';
import { readFields } from './reader.ts';
import type { Fields, Reader } from './reader.ts';
import type { SourceFile } from './source-file.ts';
import { createLocate } from './source-positions.ts';

function startOf(source: SourceFile): SourceLocation {
  return { file: source.file, line: 1, column: 1, length: 1 };
}

/** A value with the place of its key, so that a second file's can be shown beside it. */
function keyed<T>(fields: Fields, key: string, value: T | undefined): Located<T> | undefined {
  const entry = fields.get(key);
  return entry === undefined || value === undefined ? undefined : { value, location: entry.location };
}

function readFile(source: SourceFile, report: Report): FileDefinition | undefined {
  const locate = createLocate(source);
  const plain = readPlainYaml(source.text);
  const { value: node, diagnostics } =
    plain === undefined ? parseYaml(source.text, locate) : { value: plain, diagnostics: [] };
  for (const diagnostic of diagnostics) report(diagnostic);
  if (node === undefined) return undefined;
  const reader: Reader = { locate, report };
  const fields = readFields(reader, { node, location: startOf(source), what: 'the schema' }, rootKeys);
  if (fields === undefined) return undefined;
  return {
    name: textField(reader, fields, 'name'),
    databases: keyed(fields, 'databases', choiceListField(reader, fields, 'databases', dialects)),
    locales: keyed(fields, 'locales', textListField(reader, fields, 'locales')),
    api: readApi(reader, fields.get('api')),
    contentTypes: readContentTypes(reader, fields.get('contentTypes')),
    components: readComponents(reader, fields.get('components')),
    roles: readPermissions(reader, fields.get('permissions')),
  };
}

/** `dir/my-blog.yaml` → `my-blog` */
function nameOfFile(file: string): string {
  const base = file.slice(file.lastIndexOf('/') + 1);
  return base.replace(/\.[^.]*$/, '');
}

/**
 * Reads `sources` and merges them into one schema. All problems of all files are reported together, by file and line;
 * there is a value only if none of them is an error.
 */
export function readSchema(sources: readonly SourceFile[]): Result<SchemaDefinition> {
  const diagnostics: Diagnostic[] = [];
  const report: Report = (diagnostic) => void diagnostics.push(diagnostic);
  const [first] = sources;
  if (first === undefined) {
    report({ code: 'source/none', severity: 'error', message: 'no schema file was named' });
    return { value: undefined, diagnostics };
  }
  const files = sources.map((source) => readFile(source, report)).filter((file) => file !== undefined);
  const schema = mergeFiles(files, { value: nameOfFile(first.file), location: startOf(first) }, report);
  const isWhole = files.length === sources.length && !hasErrors(diagnostics);
  if (isWhole && schema.contentTypes.length === 0) {
    reportError(report, {
      code: 'schema/no-content-type',
      message: 'the schema defines no content type',
      location: startOf(first),
      hint: 'such as contentTypes: { article: { attributes: { title: { type: string } } } }',
    });
  }
  return { value: hasErrors(diagnostics) ? undefined : schema, diagnostics: diagnosticsOfRun(diagnostics) };
}
