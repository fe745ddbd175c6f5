/** The routes `/api/users`: users, and the own account. */
import { created, ok } from './answers.ts';
import { list, schemaRef } from './json-schema.ts';
import { type QueryParameter, routeTable } from './route.ts';

const ACCOUNT = schemaRef('Account');
const INPUT = schemaRef('AccountInput');
const ONE: readonly QueryParameter[] = ['fields', 'populate'];
const MANY: readonly QueryParameter[] = [...ONE, 'filters', 'sort', 'pagination', 'search'];

const PEOPLE = '/api/users';

export const USER_ROUTES = routeTable([
  {
    id: 'getOwnUser',
    method: 'GET',
    path: `${PEOPLE}/me`,
    tag: 'users',
    summary: 'Get the own account',
    permission: 'users.me',
    query: ONE,
    queriedType: 'user',
    answers: ok(ACCOUNT),
    probe: 200,
  },
  {
    id: 'listUsers',
    method: 'GET',
    path: PEOPLE,
    tag: 'users',
    summary: 'List users',
    permission: 'users.find',
    touches: ['related'],
    query: MANY,
    queriedType: 'user',
    answers: ok(list(ACCOUNT)),
    probe: 200,
  },
  {
    id: 'countUsers',
    method: 'GET',
    path: `${PEOPLE}/count`,
    tag: 'users',
    summary: 'Count users',
    permission: 'users.find',
    touches: ['related'],
    query: ['filters', 'search'],
    queriedType: 'user',
    answers: ok({ type: 'integer' }),
    probe: 200,
  },
  {
    id: 'createUser',
    method: 'POST',
    path: PEOPLE,
    tag: 'users',
    summary: 'Create a user',
    permission: 'users.create',
    touches: ['givenRoles'],
    query: ONE,
    queriedType: 'user',
    body: { json: INPUT },
    answers: created(ACCOUNT),
    probe: 400,
  },
  {
    id: 'getUser',
    method: 'GET',
    path: `${PEOPLE}/{id}`,
    tag: 'users',
    summary: 'Get a user',
    permission: 'users.findOne',
    query: ONE,
    queriedType: 'user',
    answers: ok(ACCOUNT),
    probe: 404,
  },
  {
    id: 'updateUser',
    method: 'PUT',
    path: `${PEOPLE}/{id}`,
    tag: 'users',
    summary: 'Update a user',
    permission: 'users.update',
    touches: ['users', 'givenRoles'],
    query: ONE,
    queriedType: 'user',
    body: { json: INPUT },
    answers: ok(ACCOUNT),
    probe: 404,
  },
  {
    id: 'deleteUser',
    method: 'DELETE',
    path: `${PEOPLE}/{id}`,
    tag: 'users',
    summary: 'Delete a user',
    permission: 'users.destroy',
    touches: ['users'],
    query: ONE,
    queriedType: 'user',
    answers: ok(ACCOUNT),
    probe: 404,
  },
]);
