/** Names with an existing meaning to the API, JavaScript, file systems or the database. */
import { SUBJECTS } from '#contract/policy/permission-name.ts';
import { ENDPOINT_ACTIONS } from '#contract/routes/built-in.ts';
import { USER_ATTRIBUTES } from '#contract/user-attributes.ts';

function words(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(' ')));
}

/** Members that every entry has. Those of version 4 also have `meta` beside their attributes, and clients put both together. */
const ownAttributes = words(
  'id documentId createdAt updatedAt publishedAt createdBy updatedBy',
  'locale localizations meta __component __type',
);

/** Members that every item of a component has. */
const itemMembers = words('id __component __type');

/** What an attribute belongs to, as far as its name depends on it. */
export type NameScope = 'v4' | 'v5' | 'component';

function isOwnMember(name: string, scope: NameScope): boolean {
  if (scope === 'component') return itemMembers.has(name);
  return ownAttributes.has(name) && !(scope === 'v5' && name === 'meta');
}

/** Members of every JavaScript object, and names that affect awaiting or serialization. */
const objectMembers: ReadonlySet<string> = new Set([
  ...Object.getOwnPropertyNames(Object.prototype),
  'prototype',
  'then',
  'toJSON',
]);

/** Why no attribute can be called `name`; undefined if it can. */
export function attributeNameTaken(name: string, scope: NameScope): string | undefined {
  if (isOwnMember(name, scope)) return 'every entry has a built-in property with this name';
  if (objectMembers.has(name)) return 'it has a special meaning for JavaScript objects';
  return undefined;
}

/** Why no attribute of users can be called `name`; undefined if it can. */
export function userAttributeTaken(name: string, scope: NameScope): string | undefined {
  return USER_ATTRIBUTES.has(name)
    ? 'users already have a built-in attribute with this name'
    : attributeNameTaken(name, scope);
}

/** Attribute names that clients mistake for the envelope when they unwrap a response. */
export const confusingAttributes = words('data attributes');

/**
 * Subjects of permissions that are not types: `tokens.create` is the permission to create API tokens, so a content type
 * called `tokens` would grant it. Subjects that no schema can use yet are reserved as well.
 */
const permissionSubjects = new Set([...ENDPOINT_ACTIONS.keys(), 'admin', 'content-type-builder']);

/** Names that the server uses for callers without a role: its own code, and API tokens. */
const builtInCallers = words('server api-token');

/** Why no role can be called `name`; undefined if it can. */
export function roleNameTaken(name: string): string | undefined {
  if (builtInCallers.has(name)) return 'the server uses this name for generated code or API tokens';
  return objectMembers.has(name) ? 'it has a special meaning for JavaScript objects' : undefined;
}

const builtInTables = words('users user_roles files');

/** Device names on Windows, with any extension. */
const deviceNames = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

/** Why no content type can be called `uid`; undefined if it can. */
export function typeNameTaken(uid: string): string | undefined {
  if (SUBJECTS.has(uid)) return 'a built-in type has this name';
  if (uid === 'extends') return 'in a role it specifies the role whose permissions are inherited';
  if (uid === 'as') return 'it would conflict with `entries.as(caller)` in extensions';
  if (permissionSubjects.has(uid)) return 'it is used for the permissions of a built-in endpoint';
  if (objectMembers.has(uid)) return 'it has a special meaning for JavaScript objects';
  return deviceNames.test(uid) ? 'Windows does not allow folders with this name' : undefined;
}

/** Why no component can be called `category.name`; undefined if it can. */
export function componentNameTaken(uid: string): string | undefined {
  return uid.split('.').some((part) => deviceNames.test(part))
    ? 'Windows does not allow folders with this name'
    : undefined;
}

/** Why no table can be called `name`; undefined if it can. */
export function tableNameTaken(name: string): string | undefined {
  if (/^(?:sqlite|pg)_/.test(name)) return 'the database reserves names with this prefix';
  return builtInTables.has(name) ? 'the table of a built-in type has this name' : undefined;
}

/** Words of strict-mode ECMAScript and TypeScript that can't name a variable or a type. */
const keywords = words(
  'arguments as async await break case catch class const continue debugger default delete do else enum eval export',
  'extends false finally for from function get if implements import in instanceof interface let new null of package',
  'private protected public return set static super switch this throw true try type typeof undefined var void while',
  'with yield any bigint boolean never number object string symbol unknown globalThis exports module require process',
);

/** Globals that generated code may use in the same scope as a type's name. */
const globals = words(
  'Array ArrayBuffer Awaited Boolean Buffer Capitalize Date Error Exclude Extract Function Infinity Intl Iterable',
  'Iterator JSON Map Math NaN NonNullable Number Object Omit Parameters Partial Pick Promise Proxy Readonly',
  'ReadonlyArray ReadonlyMap ReadonlySet Record Reflect RegExp Required ReturnType Set String Symbol URL Uint8Array',
  'WeakMap WeakSet',
);

/** Whether generated code can't, or shouldn't, declare something called `name`. */
export function isReservedIdentifier(name: string): boolean {
  return keywords.has(name) || globals.has(name);
}
