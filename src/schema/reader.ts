/** Checked reading of YAML nodes: each function gives a value of the wanted shape, or reports what it found instead. */
import { isAlias, isMap, isScalar, isSeq } from 'yaml';
import type { Node } from 'yaml';
import type { Diagnostic, SourceLocation } from '../diagnostics/diagnostic.ts';
import { suggestion } from '../diagnostics/suggest.ts';
import { quoted } from '../diagnostics/visible-text.ts';
import type { Located } from './definition.ts';
import type { YamlDocument } from './parse-yaml.ts';

/** A key of a map with its value; aliases are resolved. */
export interface Entry {
  readonly key: string;
  /** Of the key. */
  readonly location: SourceLocation;
  readonly value: Node | null;
}

/** The known keys of a map, by name. */
export type Fields = ReadonlyMap<string, Entry>;

/** Keys that every JavaScript object seems to have: as a name they would reach the prototype. */
const prototypeKeys = new Set([
  '__proto__',
  'constructor',
  'prototype',
  ...Object.getOwnPropertyNames(Object.prototype),
]);

/** Whether `key` would name something of every JavaScript object. */
export function isPrototypeKey(key: string): boolean {
  return prototypeKeys.has(key);
}

export interface Reader {
  readonly document: YamlDocument;
  readonly report: (diagnostic: Diagnostic) => void;
}

function unalias(reader: Reader, node: Node | null): Node | null {
  return isAlias(node) ? (reader.document.resolve(node) ?? null) : node;
}

/** Where `node` stands; `fallback` for a value that was left out. */
export function locationOf(reader: Reader, node: Node | null, fallback: SourceLocation): SourceLocation {
  const range = node?.range;
  if (!range || (range[0] === range[1] && isScalar(node))) return fallback;
  return reader.document.locate(range[0], range[1]);
}

/** What was found, for messages: `a list`, `the number 12`, `the text "abc"`. */
export function describe(node: Node | null): string {
  if (isMap(node)) return 'a map';
  if (isSeq(node)) return 'a list';
  if (!isScalar(node) || node.value === null)
    return isScalar(node) && node.source ? `the null value \`${node.source}\`` : 'nothing';
  if (typeof node.value === 'string') return `the text ${quoted(node.value)}`;
  return `the ${typeof node.value} ${quoted(node.source ?? String(node.value)).slice(1, -1)}`;
}

/** Reports that something else than `expected` stands at `node`. */
export function reportType(
  reader: Reader,
  node: Node | null,
  fallback: SourceLocation,
  what: string,
  expected: string,
  hint?: string,
): undefined {
  reader.report({
    code: 'schema/type',
    severity: 'error',
    message: `${what}: expected ${expected}, found ${describe(node)}`,
    location: locationOf(reader, node, fallback),
    ...(hint === undefined ? {} : { hint }),
  });
}

/** A key as text. What YAML reads as a number, a boolean or nothing is no name. */
function readKey(reader: Reader, key: Node | null, fallback: SourceLocation, what: string): string | undefined {
  const location = locationOf(reader, key, fallback);
  const found = unalias(reader, key);
  if (isScalar(found) && typeof found.value === 'string') {
    if (found.value === '<<') {
      const message = `${what}: merge keys (\`<<\`) are not supported`;
      reader.report({ code: 'yaml/merge-key', severity: 'error', message, location, hint: 'write the keys out' });
      return undefined;
    }
    if (!isPrototypeKey(found.value)) return found.value;
    const message = `${what}: ${quoted(found.value)} can't be a key`;
    reader.report({ code: 'name/reserved', severity: 'error', message, location });
    return undefined;
  }
  const hint = isScalar(found) && found.source ? `as a name it is written in quotes: "${found.source}"` : undefined;
  reportType(reader, found, location, what, 'a name as key', hint);
  return undefined;
}

/** The entries of a map in their order, each key once. */
export function readEntries(
  reader: Reader,
  node: Node | null,
  fallback: SourceLocation,
  what: string,
): readonly Entry[] | undefined {
  const map = unalias(reader, node);
  if (!isMap<Node | null, Node | null>(map)) return reportType(reader, map, fallback, what, 'a map');
  const entries = new Map<string, Entry>();
  for (const { key, value } of map.items) {
    const location = locationOf(reader, key, locationOf(reader, map, fallback));
    const name = readKey(reader, key, location, what);
    if (name === undefined) continue;
    const first = entries.get(name);
    if (first === undefined) {
      entries.set(name, { key: name, location, value: unalias(reader, value) });
      continue;
    }
    reader.report({
      code: 'yaml/duplicate-key',
      severity: 'error',
      message: `${what}: the key ${quoted(name)} is there twice`,
      location,
      related: [{ message: 'it is first here', location: first.location }],
    });
  }
  return [...entries.values()];
}

/** The entries of a map whose keys are known beforehand. An unknown key is an error that names the nearest one. */
export function readFields(
  reader: Reader,
  node: Node | null,
  fallback: SourceLocation,
  what: string,
  keys: readonly string[],
): Fields | undefined {
  const entries = readEntries(reader, node, fallback, what);
  if (entries === undefined) return undefined;
  const fields = new Map<string, Entry>();
  for (const entry of entries) {
    if (keys.includes(entry.key)) fields.set(entry.key, entry);
    else reportUnknownKey(reader, entry, what, keys);
  }
  return fields;
}

/** Reports a key that is none of `keys`. */
export function reportUnknownKey(reader: Reader, entry: Entry, what: string, keys: readonly string[]): void {
  const hint = suggestion(entry.key, keys);
  reader.report({
    code: 'schema/unknown-key',
    severity: 'error',
    message: `${what} has no option ${quoted(entry.key)}`,
    location: entry.location,
    ...(hint === undefined ? {} : { hint }),
  });
}

const unsafeText = /[\0\p{Cs}]/u;

/** The text of `node`, which is not empty. */
export function readText(
  reader: Reader,
  node: Node | null,
  fallback: SourceLocation,
  what: string,
): Located<string> | undefined {
  const found = unalias(reader, node);
  const location = locationOf(reader, node, fallback);
  if (!isScalar(found) || typeof found.value !== 'string') {
    const hint =
      isScalar(found) && found.value !== null
        ? `as a text it is written in quotes: "${found.source ?? String(found.value)}"`
        : undefined;
    return reportType(reader, found, location, what, 'a text', hint);
  }
  if (found.value === '') return reportType(reader, found, location, what, 'a text that is not empty');
  if (unsafeText.test(found.value)) {
    const message = `${what}: a text can't contain U+0000 or half of a surrogate pair`;
    reader.report({ code: 'schema/text', severity: 'error', message, location });
    return undefined;
  }
  return { value: found.value, location };
}

/** The items of a list, each read by `readItem`; those that it refuses are left out. */
export function readList<T>(
  reader: Reader,
  node: Node | null,
  fallback: SourceLocation,
  what: string,
  readItem: (item: Node | null, location: SourceLocation) => T | undefined,
): readonly T[] | undefined {
  const list = unalias(reader, node);
  if (!isSeq<Node | null>(list)) {
    const hint =
      isScalar(list) && list.value !== null ? `a list has brackets: [${list.source ?? String(list.value)}]` : undefined;
    return reportType(reader, list, fallback, what, 'a list', hint);
  }
  const location = locationOf(reader, list, fallback);
  return list.items.map((item) => readItem(unalias(reader, item), location)).filter((item) => item !== undefined);
}

/** One of the words `choices`. */
export function readChoice<T extends string>(
  reader: Reader,
  node: Node | null,
  fallback: SourceLocation,
  what: string,
  choices: readonly T[],
): Located<T> | undefined {
  const text = readText(reader, node, fallback, what);
  if (text === undefined) return undefined;
  const value = choices.find((choice) => choice === text.value);
  if (value !== undefined) return { value, location: text.location };
  const hint = suggestion(text.value, choices);
  reader.report({
    code: 'schema/unknown-value',
    severity: 'error',
    message: `${what}: ${quoted(text.value)} is not one of the possible values`,
    location: text.location,
    ...(hint === undefined ? {} : { hint }),
  });
  return undefined;
}
