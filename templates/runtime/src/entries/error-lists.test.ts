/** Bodies with a great many errors must be answered fast, with short responses. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { definition } from '../../test-support/projects/newspaper/src/generated/app.ts';
import { createToken, openProject, type TestProject } from '../../test-support/test-project.ts';
import { createDatabase } from '../../test-support/engines.ts';
import { openDatabase } from '../database/open-database.ts';

const MANY = 60_000;
const ids = Array.from({ length: MANY }, (_, index) => 900_000 + index);
/** As many related entries and components as a request may list. */
const LISTED = 10_000;
const listed = ids.slice(0, LISTED);
/** For responses with one error, which names a hundred entries. */
const NAMED = { errors: 1, more: undefined };
const counted = (count: number) => ({ errors: 100, more: count - 100 });

const BODIES: readonly (readonly [
  name: string,
  data: object,
  expected: { errors: number; more: number | undefined },
])[] = [
  ['absent ids', { tags: listed }, NAMED],
  ['absent ids to connect', { tags: { connect: listed.map((id) => ({ id })) } }, NAMED],
  ['absent files', { images: listed }, NAMED],
  ['what is no id', { tags: listed.map(() => 'x') }, counted(LISTED)],
  ['one id again and again', { tags: listed.map(() => 1) }, counted(LISTED - 1)],
  ['unknown attributes', Object.fromEntries(ids.map((id) => [`a${id}`, 1])), counted(MANY)],
  ['items without what they need', { lines: listed.map(() => ({})) }, counted(LISTED)],
  ['nodes of no kind', { body: ids.map(() => ({})) }, counted(MANY)],
  ['equal values', { lines: listed.map(() => ({ text: 'x', code: 'y' })) }, counted(LISTED - 1)],
  ['files and all else', { images: ids.slice(0, 100), tags: ['x'], b: 1 }, { errors: 2, more: undefined }],
];

let project: TestProject;
beforeAll(async () => {
  const roles = { ...definition.roles, public: ['page.create', 'tag.find', 'upload.find'] };
  project = await openProject({ ...definition, roles });
});
afterAll(() => project?.remove());

describe.each(['sqlite', 'postgres', 'mysql'] as const)('on %s', (dialect) => {
  test('S14: tens of thousands of errors are counted, and a hundred of them named', async ({ skip }) => {
    const own = dialect === 'sqlite' ? undefined : await createDatabase(dialect, 'error_lists').catch(() => undefined);
    if (dialect !== 'sqlite' && !own) skip();
    const server = await project.start(own ? { DATABASE_URL: own.url } : {});
    try {
      for (const [name, data, expected] of BODIES) {
        const { status, body } = await server.send('POST', '/api/pages', { body: { data } });
        expect(status, name).toBe(400);
        const { errors, more } = body.error.details;
        expect({ errors: errors.length, more }, name).toEqual(expected);
        expect(JSON.stringify(body).length, name).toBeLessThan(20_000);
        if (expected === NAMED) expect(body.error.message).toMatch(/ and 9900 more$/);
        else expect(body.error.message).toBe(`${expected.errors + (expected.more ?? 0)} errors occurred`);
      }
      const database = await openDatabase(own?.url ?? project.urlOf('test'));
      const token = await createToken(database, { kind: 'full-access' });
      const permissions = ids.map((id) => `a.${id}`);
      const { body } = await server.send('POST', '/api/users-permissions/roles', {
        token,
        body: { name: 'x', permissions },
      });
      expect(body.error.details.errors).toHaveLength(100);
      expect(body.error.details.more).toBe(MANY - 100);
      await database.close();
    } finally {
      await server.close();
      await own?.drop();
    }
  }, 300_000);
});
