import { isScalar } from 'yaml';
import type { ApiDefinition, Located } from './definition.ts';
import { apiKeys } from './keywords.ts';
import { choiceField, countField } from './read-field.ts';
import { locationOf, readFields, reportType } from './reader.ts';
import type { Entry, Fields, Reader } from './reader.ts';

const units: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ['b', 1],
  ['kb', 1024],
  ['mb', 1024 * 1024],
]);

/** A size such as `512kb`, `1mb` (binary units, as usual for bodies) or a plain number of bytes. */
function sizeField(reader: Reader, fields: Fields, key: string): Located<number> | undefined {
  const entry = fields.get(key);
  if (entry === undefined) return undefined;
  const { value: node } = entry;
  const text = isScalar(node) ? String(node.value) : '';
  const [, digits = '', unit = ''] = /^([1-9]\d{0,11})\s*([a-z]*)$/i.exec(text) ?? [];
  const factor = units.get(unit.toLowerCase());
  if (digits === '' || factor === undefined) {
    return reportType(reader, node, entry.location, `\`${key}\``, 'a size in bytes, or one such as `512kb` or `1mb`');
  }
  return { value: Number(digits) * factor, location: locationOf(reader, node, entry.location) };
}

const noApi: ApiDefinition = {
  unknownAttributes: undefined,
  defaultPageSize: undefined,
  maxPageSize: undefined,
  maxPopulateDepth: undefined,
  maxPopulatedPaths: undefined,
  bodyLimit: undefined,
};

/** Reads the map `api`. */
export function readApi(reader: Reader, entry: Entry | undefined): ApiDefinition {
  const fields = entry && readFields(reader, entry.value, entry.location, '`api`', apiKeys);
  if (fields === undefined) return noApi;
  return {
    unknownAttributes: choiceField(reader, fields, 'unknownAttributes', ['reject', 'ignore']),
    defaultPageSize: countField(reader, fields, 'defaultPageSize'),
    maxPageSize: countField(reader, fields, 'maxPageSize'),
    maxPopulateDepth: countField(reader, fields, 'maxPopulateDepth'),
    maxPopulatedPaths: countField(reader, fields, 'maxPopulatedPaths'),
    bodyLimit: sizeField(reader, fields, 'bodyLimit'),
  };
}
