import { named } from '../diagnostics/visible-text.ts';
import type { AdminViewDefinition, ComponentDefinition, ContentTypeDefinition, UsersDefinition } from './definition.ts';
import { type OptionValues, readOptions } from './option.ts';
import { translationsOf } from './panel-text.ts';
import { readAttributes } from './read-attribute.ts';
import { attempt, type Entry, type MapHints, readEntries, type Reader, readFields } from './reader.ts';
import { ownerHint, ownersHint, strapiHint } from './translations.ts';
import { componentOptions, contentTypeOptions, usersOptions } from './type-options.ts';

function hintsFor(owner: 'contentType' | 'component', name: string): MapHints {
  return { hintFor: ({ key, value }) => strapiHint(owner, key, value), example: ownerHint(name) };
}

/** Options common to content types and components. */
function described(
  { key, location }: Entry,
  options: OptionValues<typeof componentOptions>,
  { plural, group }: Partial<Pick<AdminViewDefinition, 'plural' | 'group'>> = {},
) {
  const { displayName, description, renamedFrom } = options;
  const texts = translationsOf({ displayName, description, plural, group });
  return {
    uid: key,
    location,
    displayName: displayName?.value,
    description: description?.value,
    ...(texts && { texts }),
    renamedFrom,
  };
}

/** What a type has with `draftAndPublish`, which other places of a schema may refer to. */
const WITH_DRAFTS = ['publishedAt', 'preview', 'draft'];

function readContentType(reader: Reader, entry: Entry): ContentTypeDefinition | undefined {
  const { key, value: node, location } = entry;
  const reading = { node, location, what: `the content type ${named(key)}` };
  const { value: fields, failed } = attempt(reader, (own) =>
    readFields(own, reading, Object.keys(contentTypeOptions), hintsFor('contentType', key)),
  );
  if (fields === undefined) return undefined;
  const { kind, draftAndPublish, history, trash, creatorFields, localized, ...options } = readOptions(
    reader,
    fields,
    contentTypeOptions,
  );
  // An unknown option may be a misspelling of this one.
  if (draftAndPublish === undefined && (failed || fields.has('draftAndPublish'))) {
    for (const name of WITH_DRAFTS) reader.unread.add(name);
  }
  return {
    ...described(entry, options, options.admin),
    pluralName: options.pluralName,
    tableName: options.tableName,
    kind: kind?.value ?? 'collectionType',
    draftAndPublish: draftAndPublish?.value ?? false,
    history: history?.value,
    trash: trash?.value,
    ...(creatorFields?.value === true && { creatorFields: true as const }),
    localized: localized?.value ?? false,
    indexes: options.indexes ?? [],
    unique: options.unique ?? [],
    key: options.key,
    tenant: options.tenant,
    tenantHost: options.tenantHost,
    search: options.search,
    admin: options.admin,
    attributes: readAttributes(reader, fields, entry),
  };
}

function readComponent(reader: Reader, entry: Entry): ComponentDefinition | undefined {
  const { key, value: node, location } = entry;
  const reading = { node, location, what: `the component ${named(key)}` };
  const fields = readFields(reader, reading, Object.keys(componentOptions), hintsFor('component', key));
  if (fields === undefined) return undefined;
  const options = readOptions(reader, fields, componentOptions);
  return { ...described(entry, options), attributes: readAttributes(reader, fields, entry) };
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

/** Reads the map `users`. Attributes that can't be read are skipped, so that the others can be checked. */
export function readUsers(reader: Reader, entry: Entry | undefined): UsersDefinition | undefined {
  if (entry === undefined) return undefined;
  const { key, value: node, location } = entry;
  const example = 'for example users: { attributes: { nickname: { type: string } } }';
  const fields = readFields(reader, { node, location, what: '`users`' }, Object.keys(usersOptions), { example });
  if (fields === undefined) {
    reader.unread.add('user');
    return undefined;
  }
  const { register = [] } = readOptions(reader, fields, usersOptions);
  return { location, register, attributes: readAttributes(reader, fields, { ...entry, key }) };
}

/** Reads the map `components`. */
export function readComponents(reader: Reader, entry: Entry | undefined): readonly ComponentDefinition[] {
  return readAll(entry, reader, readComponent);
}
