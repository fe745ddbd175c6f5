/** Reading of a default value: any JSON. */
import type { JsonValue, WrittenDefault } from './definition.ts';
import { locationOf, readEntries, readList, readText, reportType } from './reader.ts';
import type { Entry, Reader, Reading } from './reader.ts';

function readScalar(reader: Reader, reading: Reading, value: string | number | boolean | null): JsonValue | undefined {
  if (typeof value === 'string' && value !== '') return readText(reader, reading)?.value;
  if (typeof value !== 'number') return value;
  if (!Number.isFinite(value)) return reportType(reader, reading, 'a JSON value');
  return value;
}

function readValue(reader: Reader, reading: Reading): JsonValue | undefined {
  const { node, what } = reading;
  switch (node.kind) {
    case 'map': {
      const entries = readEntries(reader, reading) ?? [];
      const valueOf = (entry: Entry): JsonValue =>
        readValue(reader, { node: entry.value, location: entry.location, what }) ?? null;
      return Object.fromEntries(entries.map((entry) => [entry.key, valueOf(entry)]));
    }
    case 'list':
      return readList(reader, reading, (item) => readValue(reader, { ...item, what }) ?? null) ?? [];
    case 'scalar':
      return readScalar(reader, reading, node.value);
  }
}

/** The value of the option `default`, if it is there. `null` is the same as none. */
export function readDefault(reader: Reader, entry: Entry | undefined): WrittenDefault | undefined {
  if (entry === undefined) return undefined;
  const reading: Reading = { node: entry.value, location: entry.location, what: '`default`' };
  const value = readValue(reader, reading);
  if (value === undefined || value === null) return undefined;
  const text = entry.value.kind === 'scalar' && typeof value === 'number' ? entry.value.source : undefined;
  return { value, text, location: locationOf(reader, reading) };
}
