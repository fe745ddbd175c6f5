/** Checks that a server mounts and permits exactly what the table of routes says. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { definition } from '../../test-support/projects/newspaper/src/generated/app.ts';
import { createToken, openProject, type TestProject, type TestServer } from '../../test-support/test-project.ts';
import { RIGHTS } from '../contract/policy/rights.ts';
import { usedGroups } from '../contract/routes/built-in.ts';
import { entryRoutes, UNNAMED } from '../contract/routes/entries.ts';
import type { Route } from '../contract/routes/route.ts';
import { dispatch, dispatchedMount } from '../http/dispatch.ts';
import { mountRoutes, routerOf } from '../http/mount-routes.ts';

let project: TestProject;
let server: TestServer;
let everything: string;

beforeAll(async () => {
  project = await openProject(definition);
  server = await project.start();
  const database = await project.open();
  everything = await createToken(database, { kind: 'full-access' });
  await database.close();
});
afterAll(async () => {
  await server?.close();
  await project?.remove();
});

/** All rows of the table that apply to this server. */
function table(): readonly Route[] {
  const types = Object.values(project.definition.contentTypes.types);
  const builtIn = usedGroups(new Set(types.map(({ uid }) => uid)), new Set(['admin'])).flatMap(({ routes }) => routes);
  const own = types.filter(({ uid }) => uid in project.definition.routes);
  const routes = own.flatMap((type) =>
    entryRoutes({
      ...type,
      segment: type.kind === 'singleType' ? type.uid : type.pluralName,
      media: ['cover'],
      names: UNNAMED,
    }),
  );
  return [...routes, ...builtIn];
}

it('each route is mounted, refused without its permission, and permitted with it', async () => {
  for (const { id, method, path, permission, probe } of table()) {
    const url = path.replace('{id}', '999999');
    const body = method === 'GET' || method === 'DELETE' ? undefined : {};
    const asVisitor = await server.send(method, url, { body });
    if (permission === undefined) expect(asVisitor.status, id).toBe(probe);
    else expect(asVisitor.status, id).toBe(403);
    expect((await server.send(method, url, { body, token: 'nobody' })).status, id).toBe(401);
    const permitted = await server.send(method, url, { body, token: everything });
    // An API token isn't a user, so routes for the caller's own account treat it as not signed in.
    const isOwnAccount = permission === 'users.me' || id === 'getAdminSession';
    expect(isOwnAccount ? [401, 403] : [200, 204, 400, 404], `${id}: ${permitted.status}`).toContain(permitted.status);
  }
});

it('each right may be needed by some route', () => {
  const touched = new Set(table().flatMap(({ touches = [] }) => touches));
  expect([...touched].sort()).toEqual(Object.keys(RIGHTS).sort());
});

const row = (path: string, id = path): Route => ({
  id,
  method: 'GET',
  path,
  tag: 't',
  summary: 's',
  answers: [{ status: 200 }],
  probe: 200,
});
const mountOf = (path: string) => mountRoutes([row(path)], async () => ({ [path]: () => undefined }));

it('features with the same routes are refused by name, also outside /api/', () => {
  const both = (one: string, other: string) => () =>
    dispatch([dispatchedMount('the feature one', mountOf(one)), dispatchedMount('the feature other', mountOf(other))]);
  expect(both('/api/things/new', '/api/Things/{id}')).toThrow(
    'the feature one and the feature other both have routes at /api/things',
  );
  expect(both('/admin', '/Admin')).toThrow('both have routes at /admin');
  expect(both('/admin/{path}', '/admin/assets')).toThrow('both have routes at /admin');
  // A path of its own, such as that of a single type, is apart from those below it.
  expect(both('/api/auth', '/api/auth/local')).not.toThrow();
  expect(both('/', '/admin')).not.toThrow();
});

it('a route needs a handler, and a handler a route', () => {
  expect(() => routerOf([row('/a', 'getA')], {})).toThrow('the route GET /a has no handler getA');
  expect(() => routerOf([], { getB: () => undefined })).toThrow('handlers without a route: getB');
});

describe('generated code that does not match its schema', () => {
  const { article, author, ...others } = definition.routes;
  if (!article || !author) throw new Error('the newspaper has both types');

  it('prevents the start if it lacks a type', async () => {
    const lacking = await openProject({ ...definition, routes: { ...others, author } });
    await expect(lacking.start()).rejects.toThrow('lacks the type article: generate the project again');
    await lacking.remove();
  });

  it('fails requests to a type with different routes', async () => {
    const mixed = await openProject({ ...definition, routes: { ...others, author, article: author } });
    const { send, close } = await mixed.start();
    expect(await send('GET', '/api/articles')).toMatchObject({ status: 500 });
    expect(await send('GET', '/api/authors')).toMatchObject({ status: 403 });
    await close();
    await mixed.remove();
  });
});
