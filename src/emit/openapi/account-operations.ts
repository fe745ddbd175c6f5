/** What can be asked of users, roles and API tokens: the same for every server. */
import { NEW_PASSWORD, ROLE_TEXT, TOKEN_KIND } from './account-schemas.ts';
import type { Operation } from './operation.ts';
import { schemaRef } from './schema-names.ts';
import { EMAIL, list, object, TEXT, TIME_OR_NULL } from './schema-pieces.ts';

const ACCOUNT = schemaRef('Account');
const SESSION = schemaRef('Session');
const INPUT = schemaRef('AccountInput');
const ROLE_INPUT = schemaRef('RoleInput');
const OK = object({ ok: { const: true } });
const PERMISSIONS = object({ permissions: { type: 'object' } });
const ONE = ['fields', 'populate'];
const MANY = [...ONE, 'filters', 'sort', 'pagination'];

const AUTH = '/api/auth';
const PEOPLE = '/api/users';
const ACCESS = '/api/users-permissions';

const AUTH_OPERATIONS: readonly Operation[] = [
  {
    path: `${AUTH}/local`,
    method: 'post',
    id: 'signIn',
    summary: 'Sign in with an address or a user name',
    body: object({ identifier: TEXT, password: TEXT }),
    answer: SESSION,
  },
  {
    path: `${AUTH}/local/register`,
    method: 'post',
    id: 'register',
    summary: 'Make an account; without `jwt` where the address must be confirmed first',
    body: object({ username: TEXT, email: EMAIL, password: NEW_PASSWORD }),
    answer: object({ jwt: TEXT, user: ACCOUNT }, ['user']),
  },
  {
    path: `${AUTH}/forgot-password`,
    method: 'post',
    id: 'forgotPassword',
    summary: 'Have a code sent, by which a password is replaced',
    body: object({ email: EMAIL }),
    answer: OK,
  },
  {
    path: `${AUTH}/reset-password`,
    method: 'post',
    id: 'resetPassword',
    summary: 'Replace a password by the code of a mail; all sessions end',
    body: object({ code: TEXT, password: NEW_PASSWORD, passwordConfirmation: TEXT }),
    answer: SESSION,
  },
  {
    path: `${AUTH}/send-email-confirmation`,
    method: 'post',
    id: 'sendEmailConfirmation',
    summary: 'Have a link sent, by which an address is confirmed',
    body: object({ email: EMAIL }),
    answer: object({ email: EMAIL, sent: { const: true } }),
  },
  {
    path: `${AUTH}/email-confirmation`,
    method: 'get',
    id: 'emailConfirmation',
    summary: 'Confirm an address by the link of a mail, `?confirmation=…`; may answer with a redirection',
    answer: OK,
  },
  {
    path: `${AUTH}/change-password`,
    method: 'post',
    id: 'changePassword',
    summary: 'Replace the own password; all earlier sessions end',
    permission: 'users.me',
    body: object({ currentPassword: TEXT, password: NEW_PASSWORD, passwordConfirmation: TEXT }),
    answer: SESSION,
  },
  {
    path: `${AUTH}/refresh`,
    method: 'post',
    id: 'refreshSession',
    summary: 'A new token for who is signed in',
    permission: 'users.me',
    answer: object({ jwt: TEXT }),
  },
];

const USER_OPERATIONS: readonly Operation[] = [
  {
    path: `${PEOPLE}/me`,
    method: 'get',
    id: 'getOwnUser',
    summary: 'Get the own account',
    permission: 'users.me',
    query: ONE,
    answer: ACCOUNT,
  },
  {
    path: PEOPLE,
    method: 'get',
    id: 'listUsers',
    summary: 'List users',
    permission: 'users.find',
    query: MANY,
    answer: list(ACCOUNT),
  },
  {
    path: `${PEOPLE}/count`,
    method: 'get',
    id: 'countUsers',
    summary: 'Count users',
    permission: 'users.find',
    query: ['filters'],
    answer: { type: 'integer' },
  },
  {
    path: PEOPLE,
    method: 'post',
    id: 'createUser',
    summary: 'Create a user',
    permission: 'users.create',
    query: ONE,
    body: INPUT,
    answer: ACCOUNT,
    created: true,
  },
  {
    path: `${PEOPLE}/{id}`,
    method: 'get',
    id: 'getUser',
    summary: 'Get a user',
    permission: 'users.findOne',
    query: ONE,
    answer: ACCOUNT,
  },
  {
    path: `${PEOPLE}/{id}`,
    method: 'put',
    id: 'updateUser',
    summary: 'Update a user',
    permission: 'users.update',
    query: ONE,
    body: INPUT,
    answer: ACCOUNT,
  },
  {
    path: `${PEOPLE}/{id}`,
    method: 'delete',
    id: 'deleteUser',
    summary: 'Delete a user',
    permission: 'users.destroy',
    query: ONE,
    answer: ACCOUNT,
  },
];

const ACCESS_OPERATIONS: readonly Operation[] = [
  {
    path: `${ACCESS}/permissions`,
    method: 'get',
    id: 'listPermissions',
    summary: 'List everything that can be permitted',
    permission: 'roles.find',
    answer: PERMISSIONS,
  },
  {
    path: `${ACCESS}/roles`,
    method: 'get',
    id: 'listRoles',
    summary: 'List roles',
    permission: 'roles.find',
    answer: object({ roles: list(object({ ...ROLE_TEXT, nb_users: { type: 'integer' } })) }),
  },
  {
    path: `${ACCESS}/roles`,
    method: 'post',
    id: 'createRole',
    summary: 'Create a role',
    permission: 'roles.create',
    body: ROLE_INPUT,
    answer: OK,
  },
  {
    path: `${ACCESS}/roles/{id}`,
    method: 'get',
    id: 'getRole',
    summary: 'Get a role and what it may do',
    permission: 'roles.findOne',
    answer: object({ role: object({ ...ROLE_TEXT, permissions: { type: 'object' } }) }),
  },
  {
    path: `${ACCESS}/roles/{id}`,
    method: 'put',
    id: 'updateRole',
    summary: 'Change a role, and what it may do',
    permission: 'roles.update',
    body: ROLE_INPUT,
    answer: OK,
  },
  {
    path: `${ACCESS}/roles/{id}`,
    method: 'delete',
    id: 'deleteRole',
    summary: 'Delete a role; its users become authenticated',
    permission: 'roles.destroy',
    answer: OK,
  },
  {
    path: `${ACCESS}/tokens`,
    method: 'get',
    id: 'listTokens',
    summary: 'List API tokens, without their secrets',
    permission: 'tokens.find',
    answer: list(schemaRef('ApiToken')),
  },
  {
    path: `${ACCESS}/tokens`,
    method: 'post',
    id: 'createToken',
    summary: 'Make an API token, which is shown once',
    permission: 'tokens.create',
    body: object({ name: TEXT, kind: TOKEN_KIND, permissions: list(TEXT), expiresAt: TIME_OR_NULL }, ['name', 'kind']),
    answer: object({ id: { type: 'integer' }, token: TEXT, name: TEXT, kind: TOKEN_KIND }),
    created: true,
  },
  {
    path: `${ACCESS}/tokens/{id}`,
    method: 'delete',
    id: 'deleteToken',
    summary: 'Revoke an API token',
    permission: 'tokens.destroy',
    answer: OK,
  },
];

/** The operations by the tag that they have. */
export const ACCOUNT_OPERATIONS: Readonly<Record<string, readonly Operation[]>> = {
  authentication: AUTH_OPERATIONS,
  users: USER_OPERATIONS,
  access: ACCESS_OPERATIONS,
};
