/** JSON files of a project. Errors are reported with their location. */
import { DEFAULT_LIMITS } from '../strapi/limits.ts';
import { isDeeper } from '../strapi/lines.ts';
import { isMap, isScalar, LineCounter, parseDocument } from 'yaml';
import { type Finding, isMembers, type LocationOf, type Members, SourceError } from './strapi-project.ts';

/**
 * The line of the first syntax error. JSON.parse doesn't report the position of every error in every version of
 * Node.js.
 */
function brokenAt(text: string, error: unknown): { readonly line: number; readonly message: string } {
  const lineCounter = new LineCounter();
  const said = error instanceof Error ? error.message : '';
  const position = /position (?<at>\d+)/u.exec(said)?.groups?.['at'];
  if (position !== undefined) {
    const message = said.replace(/ in JSON at position.*$/u, '');
    return { line: text.slice(0, Number(position)).split('\n').length, message };
  }
  const [first] = parseDocument(text, { lineCounter, schema: 'json', strict: true, prettyErrors: false }).errors;
  if (first === undefined) return { line: text.trimEnd().split('\n').length, message: said };
  return { line: lineCounter.linePos(first.pos[0]).line, message: first.message };
}

/**
 * Finds the location of members of an object in its file. JSON is parsed as YAML, since the YAML parser records
 * positions.
 */
export function locationsIn(file: string, text: string): LocationOf {
  let parsed: { readonly lineCounter: LineCounter; readonly contents: unknown } | undefined;
  return (path) => {
    if (parsed === undefined) {
      const lineCounter = new LineCounter();
      parsed = { lineCounter, contents: parseDocument(text, { lineCounter }).contents };
    }
    let node: unknown = parsed.contents;
    let offset = 0;
    for (const name of path) {
      const pair = isMap(node) ? node.items.find(({ key }) => isScalar(key) && key.value === name) : undefined;
      if (pair === undefined) break;
      if (isScalar(pair.key)) offset = pair.key.range?.[0] ?? offset;
      node = pair.value;
    }
    return `${file}:${parsed.lineCounter.linePos(offset).line}`;
  };
}

/** The object in a file. Throws a SourceError with file and line. */
export function parseObject(file: string, text: string): Members {
  // Code that walks the values is recursive.
  if (isDeeper(text, DEFAULT_LIMITS.depth)) {
    throw new SourceError(
      `${file}:1 has values nested deeper than ${DEFAULT_LIMITS.depth} levels. Fix or remove the file.`,
    );
  }
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/u, ''));
  } catch (error) {
    const { line, message } = brokenAt(text, error);
    throw new SourceError(`${file}:${line} is not valid JSON: ${message}. Fix the file and try again.`);
  }
  if (isMembers(value)) return value;
  throw new SourceError(`${file}:1 must be an object, as in every Strapi schema. Fix or remove the file.`);
}

/** The attributes of a schema file, and a finding for each that is malformed. Throws a SourceError if it has none. */
export function attributesOf(
  file: string,
  schema: Members,
  locationOf: LocationOf,
): { readonly attributes: Readonly<Record<string, Members>>; readonly findings: readonly Finding[] } {
  const given = schema['attributes'] ?? {};
  if (!isMembers(given)) {
    throw new SourceError(`${locationOf(['attributes']) ?? file}: \`attributes\` must be an object.`);
  }
  const isAttribute = (value: unknown): value is Members => isMembers(value) && typeof value['type'] === 'string';
  const entries = Object.entries(given);
  return {
    attributes: Object.fromEntries(
      entries.flatMap(([name, value]) => (isAttribute(value) ? [[name, value] as const] : [])),
    ),
    findings: entries.flatMap(([name, value]): readonly Finding[] => {
      if (isAttribute(value)) return [];
      const place = locationOf(['attributes', name]) ?? file;
      return [{ kind: 'unsupported', what: name, message: 'the attribute has no type, so it was left out', place }];
    }),
  };
}
