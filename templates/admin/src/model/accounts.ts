/** The types of users and of their roles, which every server has. */
import type { ContentType } from './model.ts';

/** The role of a user is a relation to this. */
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

/** Users without what no request sets: by what they signed in. */
export function usersType(users: ContentType): ContentType {
  const { provider: _provider, ...attributes } = users.attributes;
  return { ...users, attributes, columns: users.columns.filter((name) => name !== 'provider') };
}
