/** Maps actions of Strapi's roles to permissions of built-in endpoints, and back. */
import { ROLE, USER } from './own-names.ts';

const LIST_LOCALES = 'plugin::i18n.locales.listLocales';

/** Action of a plugin → permission. */
const OF_PLUGINS: ReadonlyMap<string, Permission> = new Map([
  [LIST_LOCALES, ['locales', 'find']],
  ['plugin::upload.content-api.find', ['upload', 'find']],
  ['plugin::upload.content-api.findOne', ['upload', 'findOne']],
  ['plugin::upload.content-api.upload', ['upload', 'upload']],
  ['plugin::upload.content-api.destroy', ['upload', 'destroy']],
  ['plugin::users-permissions.user.count', ['users', 'find']],
  ['plugin::content-type-builder.content-types.getContentTypes', ['content-type-builder', 'find']],
  ['plugin::content-type-builder.content-types.getContentType', ['content-type-builder', 'find']],
  ['plugin::content-type-builder.components.getComponents', ['content-type-builder', 'find']],
  ['plugin::content-type-builder.components.getComponent', ['content-type-builder', 'find']],
]);

const OF_ACCOUNTS = /^plugin::users-permissions\.(?<subject>user|role)\.(?<action>\w+)$/u;

/** Actions that need no permission here: they are open to every caller, unless the server's settings disable them. */
const OPEN_TO_ALL = /^plugin::users-permissions\.(?:auth\.|permissions\.)/u;

/** `['users', 'find']` is the permission `users.find`. */
export type Permission = readonly [subject: string, action: string];

/** The permission for an action, which may not exist here. Undefined for actions of content types. */
export function builtInPermission(action: string): Permission | undefined {
  const known = OF_PLUGINS.get(action);
  if (known) return known;
  const { subject, action: verb } = OF_ACCOUNTS.exec(action)?.groups ?? {};
  if (subject === undefined || verb === undefined) return undefined;
  // For users, the action is already called `destroy`; for roles it is `deleteRole`.
  return [`${subject}s`, verb === 'deleteRole' ? 'destroy' : verb.replace(/Role$/u, '')];
}

export function isOpenToAll(action: string): boolean {
  return OPEN_TO_ALL.test(action);
}

/** Subject of permissions here → prefix of the actions in Strapi. */
const OWNERS: ReadonlyMap<string, string> = new Map([
  ['users', USER],
  ['roles', ROLE],
]);

const OF_ROLES: ReadonlyMap<string, string> = new Map([
  ['create', 'createRole'],
  ['update', 'updateRole'],
  ['destroy', 'deleteRole'],
]);

/** Strapi's actions for a permission of a built-in endpoint. Empty if Strapi has no such endpoint. */
export function actionsOfPermission([subject, action]: Permission): readonly string[] {
  const ofPlugins = [...OF_PLUGINS].filter(([, [owner, verb]]) => owner === subject && verb === action);
  const owner = OWNERS.get(subject);
  const own =
    owner === undefined ? [] : [`${owner}.${(subject === 'roles' ? OF_ROLES.get(action) : undefined) ?? action}`];
  return [...own, ...ofPlugins.map(([name]) => name)];
}

const authActions = (...names: readonly string[]): readonly string[] =>
  names.map((name) => `plugin::users-permissions.auth.${name}`);

const PUBLIC_AUTH: Readonly<Record<4 | 5, readonly string[]>> = {
  4: authActions(
    ...['callback', 'connect', 'emailConfirmation', 'forgotPassword', 'register', 'resetPassword'],
    'sendEmailConfirmation',
  ),
  5: authActions(
    ...['callback', 'connect', 'emailConfirmation', 'forgotPassword', 'refresh', 'register', 'resetPassword'],
    'sendEmailConfirmation',
  ),
};

const SIGNED_IN_AUTH: Readonly<Record<4 | 5, readonly string[]>> = {
  4: authActions('changePassword'),
  5: authActions('changePassword', 'getSessions', 'logout', 'revokeSession'),
};

/** The actions that a role needs in Strapi for what is open to all here, such as signing in, or changing one's own password. */
export function openActions(major: 4 | 5, isPublic: boolean): readonly string[] {
  return (isPublic ? PUBLIC_AUTH : SIGNED_IN_AUTH)[major];
}
