import { named } from '../diagnostics/visible-text.ts';
import type { ComponentDefinition, ContentTypeDefinition } from './definition.ts';
import { componentKeys, contentTypeKeys } from './keywords.ts';
import { readAttributes } from './read-attribute.ts';
import { booleanField, choiceField, textField } from './read-field.ts';
import { readEntries, readFields } from './reader.ts';
import type { Entry, MapHints, Reader } from './reader.ts';
import { ownerHint, ownersHint, strapiHint } from './translations.ts';

function hintsFor(owner: 'contentType' | 'component', name: string): MapHints {
  return { hintFor: ({ key, value }) => strapiHint(owner, key, value), example: ownerHint(name) };
}

function readContentType(reader: Reader, entry: Entry): ContentTypeDefinition | undefined {
  const { key, value: node, location } = entry;
  const reading = { node, location, what: `the content type ${named(key)}` };
  const fields = readFields(reader, reading, contentTypeKeys, hintsFor('contentType', key));
  if (fields === undefined) return undefined;
  return {
    uid: entry.key,
    location: entry.location,
    kind: choiceField(reader, fields, 'kind', ['collectionType', 'singleType'])?.value ?? 'collectionType',
    pluralName: textField(reader, fields, 'pluralName'),
    tableName: textField(reader, fields, 'tableName'),
    displayName: textField(reader, fields, 'displayName')?.value,
    description: textField(reader, fields, 'description')?.value,
    draftAndPublish: booleanField(reader, fields, 'draftAndPublish')?.value ?? false,
    localized: booleanField(reader, fields, 'localized')?.value ?? false,
    renamedFrom: textField(reader, fields, 'renamedFrom'),
    attributes: readAttributes(reader, fields, entry),
  };
}

function readComponent(reader: Reader, entry: Entry): ComponentDefinition | undefined {
  const { key, value: node, location } = entry;
  const reading = { node, location, what: `the component ${named(key)}` };
  const fields = readFields(reader, reading, componentKeys, hintsFor('component', key));
  if (fields === undefined) return undefined;
  return {
    uid: entry.key,
    location: entry.location,
    displayName: textField(reader, fields, 'displayName')?.value,
    description: textField(reader, fields, 'description')?.value,
    renamedFrom: textField(reader, fields, 'renamedFrom'),
    attributes: readAttributes(reader, fields, entry),
  };
}

function readAll<T>(
  entry: Entry | undefined,
  reader: Reader,
  read: (reader: Reader, entry: Entry) => T | undefined,
): readonly T[] {
  if (entry === undefined) return [];
  const { key, value: node, location } = entry;
  const entries = readEntries(reader, { node, location, what: named(key) }, ownersHint(key, node)) ?? [];
  return entries.flatMap((item) => {
    const value = read(reader, item);
    if (value === undefined) reader.unread.add(item.key);
    return value ?? [];
  });
}

/** Reads the map `contentTypes`. */
export function readContentTypes(reader: Reader, entry: Entry | undefined): readonly ContentTypeDefinition[] {
  return readAll(entry, reader, readContentType);
}

/** Reads the map `components`. */
export function readComponents(reader: Reader, entry: Entry | undefined): readonly ComponentDefinition[] {
  return readAll(entry, reader, readComponent);
}
