/** What a rule does not let a caller delete is not deleted with something else either. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dump, type TestProject, type TestServer } from '../templates/runtime/test-support/test-project.ts';
import type { Database } from '../templates/runtime/src/database/database.ts';
import { openSchema } from './support/served-project.ts';

const schema = `
name: cascades
contentTypes:
  board:
    attributes:
      name: { type: string }
      notes: { type: relation, relation: oneToMany, target: note, mappedBy: board }
  note:
    attributes:
      text: { type: string }
      author: { type: relation, relation: manyToOne, target: user }
      board: { type: relation, relation: manyToOne, target: board, inversedBy: notes, onDelete: cascade }
permissions:
  authenticated:
    board: [find, findOne, create, delete]
    note: [find, findOne, { create: { set: { author: $user } } }, { delete: { where: { author: $user } } }]
`;

let project: TestProject;
let server: TestServer;
let database: Database;

beforeAll(async () => {
  project = await openSchema(schema);
  server = await project.start();
  database = await project.open();
});
afterAll(async () => {
  await server?.close();
  await database?.close();
  await project?.remove();
});

it('as an own deletion is refused, so is one by a cascade', async () => {
  const [ann, bob] = [await server.register('ann'), await server.register('bob')];
  const create = async (token: string, path: string, data: object): Promise<number> =>
    (await server.send('POST', path, { token, body: { data } })).body.data.id;
  const board = await create(ann.jwt, '/api/boards', { name: 'shared' });
  const own = await create(ann.jwt, '/api/notes', { text: 'own', board });
  const theirs = await create(bob.jwt, '/api/notes', { text: 'theirs', board });
  const remove = (path: string, token: string) => server.send('DELETE', path, { token });
  const before = await dump(database);
  expect((await remove(`/api/notes/${theirs}`, ann.jwt)).status).toBe(403);
  expect((await remove(`/api/boards/${board}`, ann.jwt)).status).toBe(403);
  expect(await dump(database)).toBe(before);
  expect((await remove(`/api/notes/${theirs}`, bob.jwt)).status).toBe(200);
  expect((await remove(`/api/boards/${board}`, ann.jwt)).status).toBe(200);
  expect((await server.send('GET', `/api/notes/${own}`, { token: ann.jwt })).status).toBe(404);
});
