/** Names of content types in answers. */

const BUILT_IN: ReadonlyMap<string, string> = new Map([
  ['file', 'plugin::upload.file'],
  ['user', 'plugin::users-permissions.user'],
]);

/** `api::article.article` for the type `article`: the `__type` of entries in polymorphic relations. */
export function typeName(uid: string): string {
  return BUILT_IN.get(uid) ?? `api::${uid}.${uid}`;
}
