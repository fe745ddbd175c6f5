import type { ApiDefinition } from './definition.ts';
import { apiKeys } from './keywords.ts';
import { choiceField, countField, sizeField } from './read-field.ts';
import { readFields } from './reader.ts';
import type { Entry, Fields, Reader } from './reader.ts';

/** Reads the map `api`. What it does not say is `undefined`. */
export function readApi(reader: Reader, entry: Entry | undefined): ApiDefinition {
  const fields: Fields =
    (entry && readFields(reader, { node: entry.value, location: entry.location, what: '`api`' }, apiKeys)) ?? new Map();
  return {
    unknownAttributes: choiceField(reader, fields, 'unknownAttributes', ['reject', 'ignore']),
    defaultPageSize: countField(reader, fields, 'defaultPageSize'),
    maxPageSize: countField(reader, fields, 'maxPageSize'),
    maxCount: countField(reader, fields, 'maxCount'),
    maxPopulateDepth: countField(reader, fields, 'maxPopulateDepth'),
    maxPopulatedPaths: countField(reader, fields, 'maxPopulatedPaths'),
    bodyLimit: sizeField(reader, fields, 'bodyLimit'),
    maxAnswerEntries: countField(reader, fields, 'maxAnswerEntries'),
    maxAnswerSize: sizeField(reader, fields, 'maxAnswerSize'),
  };
}
