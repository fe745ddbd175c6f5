/** Who asks, and what they may do. */
import { permissionName } from './permission-name.ts';

/**
 * What can be done with entries of a content type. A single type has no `findOne` and no `create`; `preview` is to see drafts,
 * of types that have them.
 */
export type Action = 'find' | 'findOne' | 'create' | 'update' | 'delete' | 'preview';

/** What can be done with entries of every collection type. */
export const ENTRY_ACTIONS = ['find', 'findOne', 'create', 'update', 'delete'] as const satisfies readonly Action[];

/** What can be done with files, under the name `upload`. */
type UploadAction = 'upload' | 'find' | 'findOne' | 'destroy';

/** What can be done with users, roles and API tokens. */
type AccountAction = 'find' | 'findOne' | 'create' | 'update' | 'destroy' | 'me';

/** To use the admin page. */
type AdminAction = 'access';

/** The server's own code, a user who is signed in, an API token, or somebody without credentials. */
export type CallerKind = 'server' | 'user' | 'token' | 'public';

/** The caller of a request. */
export interface Caller {
  /** What to tell callers apart by: names of roles are chosen by whoever may make roles. */
  readonly kind: CallerKind;
  /** `public` without credentials; of a user the role's name in the schema; `api token` or `server` for those. */
  readonly role: string;
  /** Of the user who is signed in. */
  readonly userId?: number;
  /** Of an API token that a user made: that user. It acts with its own permissions, and not as him. */
  readonly tokenOf?: number;
  /**
   * Everything the caller may do, as `article.find`. One frozen set a role, kept for as long as the permissions do not
   * change: compiled queries are remembered by it.
   */
  readonly permissions: ReadonlySet<string>;
}

/** Everything that can be permitted. */
export type AnyAction = Action | UploadAction | AccountAction | AdminAction;

/**
 * The one policy function: whether `caller` may do `action` with entries of the type `uid`, or with what the schema calls
 * `upload`, `locales`, `users`, `roles` or `admin`.
 */
export function may(caller: Caller, action: AnyAction, uid: string): boolean {
  return caller.permissions.has(permissionName(uid, action));
}

/** What the server calls its own code and API tokens: no role is called so. */
export const SERVER = 'server';
