import type { ApiDefinition } from './definition.ts';
import { readOptions } from './option.ts';
import { type Entry, type Reader, readFields } from './reader.ts';
import { apiOptions } from './root-options.ts';

/** Reads the map `api`. Absent settings are `undefined`. */
export function readApi(reader: Reader, entry: Entry | undefined): ApiDefinition {
  const reading = entry && { node: entry.value, location: entry.location, what: '`api`' };
  const fields = reading && readFields(reader, reading, Object.keys(apiOptions));
  return readOptions(reader, fields ?? new Map(), apiOptions);
}
