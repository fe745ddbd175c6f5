/** What a permission is called. */

/** Built-in types → the word under which the schema permits them. */
export const SUBJECTS: ReadonlyMap<string, string> = new Map([
  ['user', 'users'],
  ['user-role', 'roles'],
  ['file', 'upload'],
]);

/** The permission to do `action` with entries of the type or endpoint `uid`: `article.find`, `users.destroy`. */
export function permissionName(uid: string, action: string): string {
  const subject = SUBJECTS.get(uid);
  if (subject === undefined) return `${uid}.${action}`;
  return `${subject}.${action === 'delete' ? 'destroy' : action}`;
}
