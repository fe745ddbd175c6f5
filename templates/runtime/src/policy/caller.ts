/** Who asks, and what they may do. */

/** What can be done with entries of a content type. A single type has no `findOne` and no `create`. */
export type Action = 'find' | 'findOne' | 'create' | 'update' | 'delete';

/** What can be done with files, under the name `upload`. */
export type UploadAction = 'upload' | 'find' | 'findOne' | 'destroy';

/** The caller of a request. Until users and tokens come, everybody is `public`. */
export interface Caller {
  readonly role: string;
  /**
   * Everything the caller may do, as `article.find`. One frozen set a role, kept for as long as the permissions do not
   * change: compiled queries are remembered by it.
   */
  readonly permissions: ReadonlySet<string>;
}

/** The one policy function: whether `caller` may do `action` with entries of the type `uid`. */
export function may(caller: Caller, action: Action | UploadAction, uid: string): boolean {
  return caller.permissions.has(`${uid}.${action}`);
}
