/**
 * Validating readers of YAML nodes: each function returns a value of the expected shape, or reports what it found
 * instead.
 */
import type { SourceLocation } from '../diagnostics/diagnostic.ts';
import { type Report, reportError } from '../diagnostics/report.ts';
import { suggestion } from '../diagnostics/suggest.ts';
import { quoted } from '../diagnostics/visible-text.ts';
import type { Located } from './located.ts';
import type { Locate } from './source-positions.ts';
import { missingSpaceHint } from './translations.ts';
import type { YamlNode } from './yaml-node.ts';

export interface Reader {
  readonly locate: Locate;
  readonly report: Report;
  /** Names of types, components and attributes that could not be read, so that they are not reported as unknown. */
  readonly unread: Set<string>;
}

/** The result of `read`, and whether it reported errors. */
export function attempt<T>(
  reader: Reader,
  read: (reader: Reader) => T,
): { readonly value: T; readonly failed: boolean } {
  let failed = false;
  const report: Report = (diagnostic) => {
    failed ||= diagnostic.severity === 'error';
    reader.report(diagnostic);
  };
  return { value: read({ ...reader, report }), failed };
}

/** A key of a map and its value. */
export interface Entry {
  readonly key: string;
  /** Location of the key. */
  readonly location: SourceLocation;
  readonly value: YamlNode;
}

/** The known keys of a map, by name. */
export type Fields = ReadonlyMap<string, Entry>;

/** A node to read; the location to report if it is empty; its name in messages. */
export interface Reading {
  readonly node: YamlNode;
  readonly location: SourceLocation;
  readonly what: string;
}

/** The option `key` as a node to read, if present. */
export function readingOf(fields: Fields, key: string): Reading | undefined {
  const entry = fields.get(key);
  return entry && { node: entry.value, location: entry.location, what: `\`${key}\`` };
}

/** Members of every JavaScript object: as keys they would affect the prototype. */
const prototypeKeys = new Set([...Object.getOwnPropertyNames(Object.prototype), 'prototype']);

/** The location of a node; for an empty value, that of its key. */
export function locationOf(reader: Reader, { node, location }: Reading): SourceLocation {
  return node.start === node.end ? location : reader.locate(node.start, node.end);
}

/** Describes a node for messages: `a list`, `the number 12`, `the text "abc"`. */
function describe(node: YamlNode): string {
  if (node.kind !== 'scalar') return `a ${node.kind}`;
  if (node.value === null) return node.source === '' ? 'nothing' : `the null value \`${node.source}\``;
  return typeof node.value === 'string'
    ? `the string ${quoted(node.value)}`
    : `the ${typeof node.value} ${node.source}`;
}

/** Reports a value other than `expected`. */
export function reportType(reader: Reader, reading: Reading, expected: string, hint?: string): undefined {
  reportError(reader.report, {
    code: 'schema/type',
    message: `${reading.what}: expected ${expected}, found ${describe(reading.node)}`,
    location: locationOf(reader, reading),
    hint,
  });
}

/** A key as a string. Keys that YAML parses as numbers, booleans or null are not names. */
function readKey(reader: Reader, reading: Reading): string | undefined {
  const { node, what } = reading;
  if (node.kind !== 'scalar' || typeof node.value !== 'string') {
    const source = node.kind === 'scalar' ? node.source : '';
    const hint = source === '' ? undefined : `to use it as a name, write it in quotes: "${source}"`;
    return reportType(reader, { ...reading, what: `a key of ${what}` }, 'a name', hint);
  }
  const key = node.value;
  const location = locationOf(reader, reading);
  if (key === '<<') {
    const message = `merge keys (\`<<\`) are not supported`;
    return reportError(reader.report, { code: 'yaml/merge-key', message, location, hint: 'write the keys explicitly' });
  }
  if (!prototypeKeys.has(key)) return key;
  const message = `${quoted(key)} can't be a key of ${what}: it has a special meaning for JavaScript objects`;
  return reportError(reader.report, { code: 'name/reserved', message, location, hint: 'choose another name' });
}

/** The entries of a map in order. Duplicate keys are reported. */
export function readEntries(reader: Reader, reading: Reading, hint?: string): readonly Entry[] | undefined {
  const { node, what } = reading;
  if (node.kind !== 'map') return reportType(reader, reading, 'a map', hint);
  const entries = new Map<string, Entry>();
  for (const { key: keyNode, value } of node.entries) {
    const keyReading: Reading = { node: keyNode, location: reading.location, what };
    const key = readKey(reader, keyReading);
    if (key === undefined) continue;
    const location = locationOf(reader, keyReading);
    const first = entries.get(key);
    if (first === undefined) {
      entries.set(key, { key, location, value });
      continue;
    }
    reportError(reader.report, {
      code: 'yaml/duplicate-key',
      message: `the key ${quoted(key)} of ${what} occurs twice`,
      location,
      related: [{ message: 'it first occurs here', location: first.location }],
      hint: 'remove one of them',
    });
  }
  return [...entries.values()];
}

/** Returns a hint for an unknown key if there is a better one than the nearest known key. */
export type HintFor = (entry: Entry) => string | undefined;

/** Reports a key that is not one of `keys`. */
export function reportUnknownKey(
  reader: Reader,
  entry: Entry,
  what: string,
  keys: readonly string[],
  hintFor?: HintFor,
): void {
  const hint = missingSpaceHint(entry.key) ?? hintFor?.(entry) ?? suggestion(entry.key, keys);
  reportError(reader.report, {
    code: 'schema/unknown-key',
    message: `${what} has no option ${quoted(entry.key)}`,
    location: entry.location,
    hint,
  });
}

/** Hints about a map: suggestions for unknown keys, and an example of the map. */
export interface MapHints {
  readonly hintFor?: HintFor;
  readonly example?: string;
}

/** The entries of a map with a fixed set of keys. Unknown keys are errors that suggest the nearest one. */
export function readFields(
  reader: Reader,
  reading: Reading,
  keys: readonly string[],
  { hintFor, example }: MapHints = {},
): Fields | undefined {
  const entries = readEntries(reader, reading, example);
  if (entries === undefined) return undefined;
  const fields = new Map<string, Entry>();
  for (const entry of entries) {
    if (keys.includes(entry.key)) fields.set(entry.key, entry);
    else reportUnknownKey(reader, entry, reading.what, keys, hintFor);
  }
  return fields;
}

const unsafeText = /[\0\p{Cs}]/u;

/** A non-empty string. */
export function readText(reader: Reader, reading: Reading): Located<string> | undefined {
  const { node, what } = reading;
  if (node.kind !== 'scalar' || typeof node.value !== 'string') {
    const source = node.kind === 'scalar' ? node.source : '';
    return reportType(
      reader,
      reading,
      'a string',
      source === '' ? undefined : `to use it as a string, write it in quotes: "${source}"`,
    );
  }
  if (node.value === '') return reportType(reader, reading, 'a non-empty string');
  const location = locationOf(reader, reading);
  if (!unsafeText.test(node.value)) return { value: node.value, location };
  const message = `${what} must not contain U+0000 or an unpaired surrogate`;
  return reportError(reader.report, { code: 'schema/text', message, location });
}

/** The items of a list, each read by `readItem`; rejected items are skipped. */
export function readList<T>(
  reader: Reader,
  reading: Reading,
  readItem: (item: Reading) => T | undefined,
): readonly T[] | undefined {
  const { node, what } = reading;
  if (node.kind !== 'list') {
    const source = node.kind === 'scalar' ? node.source : '';
    return reportType(reader, reading, 'a list', source === '' ? undefined : `write a list in brackets: [${source}]`);
  }
  const location = locationOf(reader, reading);
  const items = node.items.map((item) => readItem({ node: item, location, what: `an item of ${what}` }));
  return items.filter((item) => item !== undefined);
}

/** One of the words in `choices`. `hintFor` returns a hint for a known wrong word. */
export function readChoice<T extends string>(
  reader: Reader,
  reading: Reading,
  choices: readonly T[],
  hintFor?: (word: string) => string | undefined,
): Located<T> | undefined {
  const text = readText(reader, reading);
  if (text === undefined) return undefined;
  const value = choices.find((choice) => choice === text.value);
  if (value !== undefined) return { value, location: text.location };
  const hint = hintFor?.(text.value) ?? suggestion(text.value, choices);
  return reportError(reader.report, {
    code: 'schema/unknown-value',
    message: `${reading.what} can't be ${quoted(text.value)}`,
    location: text.location,
    hint,
  });
}
