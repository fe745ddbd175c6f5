/** Names of permissions. */

/** Built-in type → subject of its permissions in the schema. */
export const SUBJECTS: ReadonlyMap<string, string> = new Map([
  ['user', 'users'],
  ['user-role', 'roles'],
  ['file', 'upload'],
]);

/** The permission for `action` on the type or endpoint `uid`: `article.find`, `users.destroy`. */
export function permissionName(uid: string, action: string): string {
  const subject = SUBJECTS.get(uid);
  if (subject === undefined) return `${uid}.${action}`;
  return `${subject}.${action === 'delete' ? 'destroy' : action}`;
}
