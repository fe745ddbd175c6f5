/** Names of content types in requests and answers. */

/** The names of built-in types in the reference product, where they belong to plugins. */
const BUILT_IN: ReadonlyMap<string, string> = new Map([
  ['file', 'plugin::upload.file'],
  ['user', 'plugin::users-permissions.user'],
]);

function apiName(uid: string): string {
  return `api::${uid}.${uid}`;
}

/** `api::article.article` for the type `article`: the `__type` of entries in polymorphic relations. */
export function typeName(uid: string): string {
  return BUILT_IN.get(uid) ?? apiName(uid);
}

/** All names that requests may use for a type: `user`, `api::user.user` and `plugin::users-permissions.user`. */
export function namesOfType(uid: string): ReadonlySet<string> {
  return new Set([uid, apiName(uid), typeName(uid)]);
}

/** The type that a request names, out of `uids`; undefined if it is none of them. */
export function typeNamed(name: unknown, uids: Iterable<string>): string | undefined {
  if (typeof name !== 'string') return undefined;
  for (const uid of uids) {
    if (namesOfType(uid).has(name)) return uid;
  }
  return undefined;
}

/** The type that `typeName` names. */
export function uidOfTypeName(name: string): string {
  const builtIn = [...BUILT_IN].find(([, other]) => other === name);
  return builtIn?.[0] ?? name.slice(name.indexOf('.') + 1);
}
