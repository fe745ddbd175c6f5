/** The caller of a request, with their permissions. */
import { permissionName } from './permission-name.ts';
import type { Permissions, Rule } from './rule.ts';

/**
 * Actions on entries of a content type. Single types have no `findOne` and no `create`. In types with drafts, `preview` permits seeing
 * them, and `draft` to create and change them, without what is published. In types with a history, `history` permits reading it.
 */
export type Action = 'find' | 'findOne' | 'create' | 'update' | 'delete' | 'preview' | 'draft' | 'history';

/** Actions that every collection type has. */
export const ENTRY_ACTIONS = ['find', 'findOne', 'create', 'update', 'delete'] as const satisfies readonly Action[];

/** Actions on files. In permissions, their subject is `upload`. */
type UploadAction = 'upload' | 'find' | 'findOne' | 'destroy';

/** Actions on users, roles and API tokens. */
type AccountAction = 'find' | 'findOne' | 'create' | 'update' | 'destroy' | 'me';

/** Using the admin page. */
type AdminAction = 'access';

/** The server's own code, a signed-in user, an API token, or a caller without credentials. */
export type CallerKind = 'server' | 'user' | 'token' | 'public';

/** The caller of a request. */
export interface Caller {
  /** Distinguishes callers. The role's name can't, because people who may create roles choose it. */
  readonly kind: CallerKind;
  /** The role's name in the schema for users, `public` without credentials, or `api token` or `server`. */
  readonly role: string;
  /** Id of the signed-in user. */
  readonly userId?: number;
  /** Id of the API token. */
  readonly tokenId?: number;
  /** Id of the user who created the API token. Its permissions are those of the token that the user's role also has. */
  readonly tokenOf?: number;
  /** The name of an API token. */
  readonly tokenName?: string;
  /** The role of the user who created the API token. */
  readonly tokenRole?: string;
  /** The host of the request, in lower case, if a rule depends on it. */
  readonly host?: string;
  /** Names of permissions, such as `article.find`, with their rules. */
  readonly permissions: Permissions;
}

/** All actions that can be permitted. */
export type AnyAction = Action | UploadAction | AccountAction | AdminAction;

/**
 * The one policy function: whether `caller` is permitted `action` on entries of the type `uid`, or on a built-in endpoint such as
 * `upload`, `users` or `tokens`.
 */
export function may(caller: Pick<Caller, 'permissions'>, action: AnyAction, uid: string): boolean {
  return caller.permissions.has(permissionName(uid, action));
}

/** Whether the caller may find entries of the type, in lists or one by one. */
export function mayFind(caller: Caller, uid: string): boolean {
  return may(caller, 'find', uid) || may(caller, 'findOne', uid);
}

/** The action that permits a write: `draft` for a caller who may write drafts alone. */
export type WriteAction = 'create' | 'update' | 'draft';

/** The action by whose permission, and by whose rule, the caller writes. */
export function permittingAction(caller: Caller, action: 'create' | 'update', uid: string): WriteAction {
  return !may(caller, action, uid) && may(caller, 'draft', uid) ? 'draft' : action;
}

/** The rule of a permitted action; undefined if it reaches everything. */
export function ruleOf(caller: Pick<Caller, 'permissions'>, action: AnyAction, uid: string): Rule | undefined {
  return caller.permissions.rules?.[permissionName(uid, action)];
}

/** Whether the caller finds files only through what uses them: `usedBy: visible`. */
export function findsFilesByUse(caller: Caller): boolean {
  const rules = (['find', 'findOne'] as const).flatMap((action) => ruleOf(caller, action, 'file')?.where ?? []);
  return rules.some((where) => JSON.stringify(where).includes('"usedBy":'));
}

/** `Caller.role` of the server's own code. No role may have this name. */
export const SERVER = 'server';
