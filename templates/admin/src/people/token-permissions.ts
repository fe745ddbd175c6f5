/** Permissions that a user can grant to an API token: at most their own. */
import type { Session } from '../app/session.ts';
import { type PermissionTree, rowsOf } from './permission-tree.ts';

/** The admin API requires a session cookie, so tokens can't use it. */
const NOT_OF_TOKENS = new Set(['admin']);

/** The permissions that can be granted, all disabled. */
export function grantable({ permissions }: Pick<Session, 'permissions'>): PermissionTree {
  const named = Object.entries(permissions).filter(([subject]) => !NOT_OF_TOKENS.has(subject));
  const off = (actions: readonly string[]) =>
    Object.fromEntries(actions.map((action) => [action, { enabled: false }] as const));
  return { own: { controllers: Object.fromEntries(named.map(([subject, actions]) => [subject, off(actions)])) } };
}

/** The enabled permissions, such as `article.find`. */
export function chosenIn(tree: PermissionTree): readonly string[] {
  return rowsOf(tree).flatMap(({ controller, actions }) =>
    Object.entries(actions).flatMap(([action, isOn]) => (isOn ? [`${controller}.${action}`] : [])),
  );
}
