/** How a content type is named in an answer. */

const BUILT_IN: ReadonlyMap<string, string> = new Map([
  ['file', 'plugin::upload.file'],
  ['user', 'plugin::users-permissions.user'],
]);

/** `api::article.article` for the type `article`: the `__type` of entries of relations to several types. */
export function typeName(uid: string): string {
  return BUILT_IN.get(uid) ?? `api::${uid}.${uid}`;
}
