/** The built-in types of users and roles. */
import type { ContentType } from './model.ts';

/** Target of the user's `role` relation. */
export const ROLES: ContentType = {
  uid: 'user-role',
  name: 'plugin::users-permissions.role',
  kind: 'collection',
  endpoint: '/api/users-permissions/roles',
  singular: 'role',
  plural: 'roles',
  displayName: 'Role',
  mainField: 'name',
  columns: [],
  draftAndPublish: false,
  localized: false,
  attributes: { name: { type: 'string' } },
};

/** The user type without `provider`, which no request can set. */
export function usersType(users: ContentType): ContentType {
  const { provider: _provider, ...attributes } = users.attributes;
  return { ...users, attributes, columns: users.columns.filter((name) => name !== 'provider') };
}
