/** What an API token may be given: nobody hands on more than they may do themselves. */
import type { Session } from '../app/session.ts';
import { type PermissionTree, rowsOf } from './permission-tree.ts';

/** The page is for people with a cookie: a token can't use it. */
const NOT_OF_TOKENS = new Set(['admin']);

/** The matrix of a new token, in which nothing is chosen yet. */
export function grantable({ permissions }: Pick<Session, 'permissions'>): PermissionTree {
  const named = Object.entries(permissions).filter(([subject]) => !NOT_OF_TOKENS.has(subject));
  const off = (actions: readonly string[]) =>
    Object.fromEntries(actions.map((action) => [action, { enabled: false }] as const));
  return { own: { controllers: Object.fromEntries(named.map(([subject, actions]) => [subject, off(actions)])) } };
}

/** What is chosen: `article.find`. */
export function chosenIn(tree: PermissionTree): readonly string[] {
  return rowsOf(tree).flatMap(({ controller, actions }) =>
    Object.entries(actions).flatMap(([action, isOn]) => (isOn ? [`${controller}.${action}`] : [])),
  );
}
