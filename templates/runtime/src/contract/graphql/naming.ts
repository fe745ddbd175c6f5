/** Names in the GraphQL schema: those of the plugins of Strapi. */

/** The words of a name: `work-item` and `workItem` have two. */
function wordsOf(name: string): readonly string[] {
  return name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/gu) ?? [];
}

function capitalized(word: string): string {
  return `${word.slice(0, 1).toUpperCase()}${word.slice(1).toLowerCase()}`;
}

/** `work-item` → `WorkItem` */
export function pascal(name: string): string {
  return wordsOf(name).map(capitalized).join('');
}

/** `work-item` → `workItem` */
export function camel(name: string): string {
  const text = pascal(name);
  return `${text.slice(0, 1).toLowerCase()}${text.slice(1)}`;
}

const BUILT_IN: ReadonlyMap<string, readonly [singular: string, plural: string]> = new Map([
  ['file', ['upload-file', 'upload-files']],
  ['user', ['users-permissions-user', 'users-permissions-users']],
  ['user-role', ['users-permissions-role', 'users-permissions-roles']],
]);

/** Names of GraphQL itself, and of types that every schema has. A content type of such a name gets another one. */
const TAKEN: ReadonlySet<string> = new Set([
  'Query',
  'Mutation',
  'Subscription',
  'String',
  'Int',
  'Float',
  'Boolean',
  'ID',
  'JSON',
  'Date',
  'DateTime',
  'Time',
  'Long',
  'Upload',
  'Error',
  'Pagination',
  'GenericMorph',
  'DeleteMutationResponse',
  'ResponseCollectionMeta',
  'PublicationStatus',
  'PublicationState',
  'PublicationFilter',
  'UploadFile',
  'I18NLocale',
]);

function singularOf(uid: string): string {
  return BUILT_IN.get(uid)?.[0] ?? uid;
}

/** The GraphQL type of a content type: `work-item` → `WorkItem`. */
export function typeName(uid: string): string {
  const name = pascal(singularOf(uid));
  return TAKEN.has(name) && !BUILT_IN.has(uid) ? `${name}Entry` : name;
}

/** The root field for one entry: `workItem`. */
export function oneName(uid: string): string {
  return camel(singularOf(uid));
}

/** The root field for entries: `workItems`. */
export function manyName({ uid, pluralName }: { readonly uid: string; readonly pluralName: string }): string {
  const name = camel(BUILT_IN.get(uid)?.[1] ?? pluralName);
  return name === oneName(uid) ? `${name}List` : name;
}

/** `shared.link-item` → `ComponentSharedLinkItem` */
export function componentName(uid: string): string {
  return `Component${pascal(uid)}`;
}

/** `page`, `zone` → `PageZone`, to which `DynamicZone` and `DynamicZoneInput` are added. */
export function zoneName(owner: string, attribute: string): string {
  return `${owner}${pascal(attribute)}`;
}

/** `Book`, `genre` → `ENUM_BOOK_GENRE` */
export function enumName(owner: string, attribute: string): string {
  return `ENUM_${owner.toUpperCase()}_${attribute.toUpperCase()}`;
}

const WORDS: ReadonlySet<string> = new Set(['true', 'false', 'null']);

/** The names of the values of an enumeration, in order: GraphQL allows only letters, digits and `_`. */
export function enumValues(values: readonly string[]): ReadonlyMap<string, string> {
  const named = new Map<string, string>();
  for (const value of values) {
    const plain = value.normalize('NFKD').replaceAll(/\p{M}/gu, '').replaceAll(/\W/gu, '_');
    const valid = /^[A-Za-z_]/u.test(plain) && !WORDS.has(plain) ? plain : `_${plain}`;
    let name = valid;
    for (let again = 2; named.has(name); again++) name = `${valid}_${again}`;
    named.set(name, value);
  }
  return named;
}
