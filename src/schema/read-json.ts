/** Reads values that may be any JSON, such as defaults. */
import type { JsonValue } from '#contract/values/json.ts';
import type { WrittenDefault } from './located.ts';
import {
  type Entry,
  locationOf,
  readEntries,
  type Reader,
  type Reading,
  readList,
  readText,
  reportType,
} from './reader.ts';
import type { YamlScalar } from './yaml-node.ts';

/** A scalar as JSON. `isInner`: inside a map or list, where a number must fit a JSON number. */
export function readScalar(
  reader: Reader,
  reading: Reading,
  value: YamlScalar['value'],
  isInner: boolean,
): JsonValue | undefined {
  if (typeof value === 'string' && value !== '') return readText(reader, reading)?.value;
  if (typeof value !== 'number') return value;
  if (!Number.isFinite(value)) return reportType(reader, reading, 'a JSON value');
  if (!isInner || !Number.isInteger(value) || Number.isSafeInteger(value)) return value;
  return reportType(reader, reading, 'a number that JavaScript can represent exactly', 'write it in quotes');
}

function readValue(reader: Reader, reading: Reading, isInner: boolean): JsonValue | undefined {
  const { node, what } = reading;
  switch (node.kind) {
    case 'map': {
      const entries = readEntries(reader, reading) ?? [];
      const valueOf = (entry: Entry): JsonValue =>
        readValue(reader, { node: entry.value, location: entry.location, what }, true) ?? null;
      return Object.fromEntries(entries.map((entry) => [entry.key, valueOf(entry)]));
    }
    case 'list':
      return readList(reader, reading, (item) => readValue(reader, { ...item, what }, true) ?? null) ?? [];
    case 'scalar':
      return readScalar(reader, reading, node.value, isInner);
  }
}

/** The value of the option `default`, if present. `null` counts as absent. */
export function readDefault(reader: Reader, entry: Entry | undefined): WrittenDefault | undefined {
  if (entry === undefined) return undefined;
  const reading: Reading = { node: entry.value, location: entry.location, what: '`default`' };
  const value = readValue(reader, reading, false);
  if (value === undefined || value === null) return undefined;
  const text = entry.value.kind === 'scalar' && typeof value === 'number' ? entry.value.source : undefined;
  return { value, text, location: locationOf(reader, reading) };
}
