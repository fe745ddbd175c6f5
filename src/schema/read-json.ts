/** Reading of a default value: any JSON. */
import { isMap, isScalar, isSeq } from 'yaml';
import type { Node } from 'yaml';
import type { JsonValue, WrittenDefault } from './definition.ts';
import { locationOf, readEntries, readList, readText, reportType } from './reader.ts';
import type { Entry, Reader } from './reader.ts';

function readValue(reader: Reader, entry: Entry, what: string): JsonValue | undefined {
  const { value: node, location } = entry;
  if (isMap(node)) {
    const entries = readEntries(reader, node, location, what) ?? [];
    return Object.fromEntries(entries.map((inner) => [inner.key, readValue(reader, inner, what) ?? null]));
  }
  if (isSeq(node)) {
    return (
      readList(reader, node, location, what, (item) => readValue(reader, { ...entry, value: item }, what) ?? null) ?? []
    );
  }
  return readScalar(reader, node, entry, what);
}

function readScalar(reader: Reader, node: Node | null, entry: Entry, what: string): JsonValue | undefined {
  const value = isScalar(node) ? node.value : null;
  switch (typeof value) {
    case 'string':
      return value === '' ? value : readText(reader, node, entry.location, what)?.value;
    case 'boolean':
      return value;
    case 'number':
      if (Number.isFinite(value)) return value;
      return reportType(reader, node, entry.location, what, 'a JSON value');
    default:
      return value === null ? null : reportType(reader, node, entry.location, what, 'a JSON value');
  }
}

/** The value of the option `default`. `null` is the same as none. */
export function readDefault(reader: Reader, entry: Entry | undefined): WrittenDefault | undefined {
  if (entry === undefined) return undefined;
  const { value: node, location } = entry;
  const value = readValue(reader, entry, '`default`');
  if (value === undefined || value === null) return undefined;
  const text = isScalar(node) && typeof node.value === 'number' ? node.source : undefined;
  return { value, text, location: locationOf(reader, node, location) };
}
