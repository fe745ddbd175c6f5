/** The routes `/api/users-permissions`: roles and API tokens. */
import { created, ok } from './answers.ts';
import { ANY_OBJECT, list, object, schemaRef, TRUE } from './json-schema.ts';
import { routeTable } from './route.ts';

const ROLE_INPUT = schemaRef('RoleInput');
const DONE = object({ ok: TRUE });
const PERMISSIONS = object({ permissions: ANY_OBJECT });

const ACCESS = '/api/users-permissions';

export const ACCESS_ROUTES = routeTable([
  {
    id: 'listPermissions',
    method: 'GET',
    path: `${ACCESS}/permissions`,
    tag: 'access',
    summary: 'List all permissions',
    permission: 'roles.find',
    answers: ok(PERMISSIONS),
    probe: 200,
  },
  {
    id: 'listRoles',
    method: 'GET',
    path: `${ACCESS}/roles`,
    tag: 'access',
    summary: 'List roles',
    permission: 'roles.find',
    answers: ok(schemaRef('RoleList')),
    probe: 200,
  },
  {
    id: 'createRole',
    method: 'POST',
    path: `${ACCESS}/roles`,
    tag: 'access',
    summary: 'Create a role',
    permission: 'roles.create',
    touches: ['givenPermissions'],
    body: { json: ROLE_INPUT },
    answers: ok(DONE),
    probe: 400,
  },
  {
    id: 'getRole',
    method: 'GET',
    path: `${ACCESS}/roles/{id}`,
    tag: 'access',
    summary: 'Get a role and its permissions',
    permission: 'roles.findOne',
    answers: ok(schemaRef('RoleWithPermissions')),
    probe: 404,
  },
  {
    id: 'updateRole',
    method: 'PUT',
    path: `${ACCESS}/roles/{id}`,
    tag: 'access',
    summary: 'Update a role and its permissions',
    permission: 'roles.update',
    touches: ['roles', 'givenPermissions'],
    body: { json: ROLE_INPUT },
    answers: ok(DONE),
    probe: 404,
  },
  {
    id: 'deleteRole',
    method: 'DELETE',
    path: `${ACCESS}/roles/{id}`,
    tag: 'access',
    summary: 'Delete a role; its users get the role `authenticated`',
    permission: 'roles.destroy',
    touches: ['roles', 'givenRoles'],
    answers: ok(DONE),
    probe: 404,
  },
  {
    id: 'listTokens',
    method: 'GET',
    path: `${ACCESS}/tokens`,
    tag: 'access',
    summary: 'List API tokens, without their secrets',
    permission: 'tokens.find',
    answers: ok(list(schemaRef('ApiToken'))),
    probe: 200,
  },
  {
    id: 'createToken',
    method: 'POST',
    path: `${ACCESS}/tokens`,
    tag: 'access',
    summary: 'Create an API token, which is shown only once',
    permission: 'tokens.create',
    touches: ['givenPermissions'],
    body: { json: schemaRef('ApiTokenInput') },
    answers: created(schemaRef('NewApiToken')),
    probe: 400,
  },
  {
    id: 'deleteToken',
    method: 'DELETE',
    path: `${ACCESS}/tokens/{id}`,
    tag: 'access',
    summary: 'Revoke an API token',
    permission: 'tokens.destroy',
    touches: ['tokens'],
    answers: ok(DONE),
    probe: 404,
  },
]);
