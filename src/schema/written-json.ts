/** Reads JSON whose parts are checked later: with the location of each part. */
import type { JsonValue } from '#contract/values/json.ts';
import type { SourceLocation } from '../diagnostics/diagnostic.ts';
import type { Located } from './located.ts';
import { locationOf, readEntries, type Reader, type Reading, readList } from './reader.ts';
import { readScalar } from './read-json.ts';

/** The keys and indexes that lead to a part. */
type JsonPath = readonly (string | number)[];

/** JSON as written, located at its start. */
export interface WrittenJson extends Located<JsonValue> {
  /** By path, as JSON: the locations of a key, or of an item of a list, and of its value. */
  readonly places: ReadonlyMap<string, { readonly key: SourceLocation; readonly value: SourceLocation }>;
}

type Places = Map<string, { readonly key: SourceLocation; readonly value: SourceLocation }>;

function readPart(reader: Reader, reading: Reading, path: JsonPath, places: Places): JsonValue {
  const { node, what } = reading;
  const inner = (part: Reading, step: string | number): JsonValue => {
    const to = [...path, step];
    places.set(JSON.stringify(to), { key: part.location, value: locationOf(reader, part) });
    return readPart(reader, part, to, places);
  };
  switch (node.kind) {
    case 'map': {
      const entries = readEntries(reader, reading) ?? [];
      const value = ({ key, value: part, location }: (typeof entries)[number]): JsonValue =>
        inner({ node: part, location, what }, key);
      return Object.fromEntries(entries.map((entry) => [entry.key, value(entry)]));
    }
    case 'list': {
      let index = 0;
      const item = (part: Reading): JsonValue => {
        const location = locationOf(reader, part);
        return inner({ ...part, location, what }, index++);
      };
      return readList(reader, reading, item) ?? [];
    }
    case 'scalar':
      return readScalar(reader, reading, node.value, true) ?? null;
  }
}

/** A value with the locations of its parts. Values that aren't JSON are reported. */
export function readWrittenJson(reader: Reader, reading: Reading): WrittenJson {
  const places: Places = new Map();
  const value = readPart(reader, reading, [], places);
  return { value, location: locationOf(reader, reading), places };
}

/** Where a part was written: its key, or its value. The nearest part around it, if it is not there. */
export function placeOf(written: WrittenJson, path: JsonPath, part: 'key' | 'value'): SourceLocation {
  for (let length = path.length; length > 0; length -= 1) {
    const place = written.places.get(JSON.stringify(path.slice(0, length)));
    if (place) return place[part];
  }
  return written.location;
}
