/** Names with an existing meaning to the API, JavaScript, file systems or the database. */
import { SUBJECTS } from '#contract/policy/permission-name.ts';
import { ENDPOINT_ACTIONS } from '#contract/routes/built-in.ts';
import { USER_ATTRIBUTES } from '#contract/user-attributes.ts';

function words(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(' ')));
}

/** Members that every entry, component item or envelope has. */
const ownAttributes = words(
  'id documentId createdAt updatedAt publishedAt createdBy updatedBy',
  'locale localizations meta __component __type',
);

/** Members of every JavaScript object, and names that affect awaiting or serialization. */
const objectMembers: ReadonlySet<string> = new Set([
  ...Object.getOwnPropertyNames(Object.prototype),
  'prototype',
  'then',
  'toJSON',
]);

/** Why no attribute can be called `name`; undefined if it can. */
export function attributeNameTaken(name: string): string | undefined {
  if (ownAttributes.has(name)) return 'every entry has something of that name';
  if (objectMembers.has(name)) return 'every JavaScript object has something of that name, or is changed by it';
  return undefined;
}

/** Why no attribute of users can be called `name`; undefined if it can. */
export function userAttributeTaken(name: string): string | undefined {
  return USER_ATTRIBUTES.has(name) ? 'every user has it already' : attributeNameTaken(name);
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
  if (builtInCallers.has(name)) return 'the server uses that name for its own code or for API tokens';
  return objectMembers.has(name) ? 'every JavaScript object has something of that name' : undefined;
}

const builtInTables = words('users user_roles files');

/** Device names on Windows, with any extension. */
const deviceNames = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

/** Why no content type can be called `uid`; undefined if it can. */
export function typeNameTaken(uid: string): string | undefined {
  if (SUBJECTS.has(uid)) return 'the server has a built-in type of that name';
  if (uid === 'extends') return 'under a role it names another role whose permissions are taken over';
  if (uid === 'as') return 'your own code calls `entries.as(caller)`';
  if (permissionSubjects.has(uid)) return 'the permissions of a built-in endpoint have that name';
  if (objectMembers.has(uid)) return 'every JavaScript object has something of that name, or is changed by it';
  return deviceNames.test(uid) ? 'Windows has no folders of that name' : undefined;
}

/** Why no component can be called `category.name`; undefined if it can. */
export function componentNameTaken(uid: string): string | undefined {
  return uid.split('.').some((part) => deviceNames.test(part)) ? 'Windows has no folders of that name' : undefined;
}

/** Why no table can be called `name`; undefined if it can. */
export function tableNameTaken(name: string): string | undefined {
  if (/^(?:sqlite|pg)_/.test(name)) return 'names that begin like this belong to the database engine';
  return builtInTables.has(name) ? 'the table of a built-in type has that name' : undefined;
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
