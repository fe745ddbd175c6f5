/** Many users and files at a time: in one transaction, on each engine. */
import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { definition } from '../../../test-support/projects/market/src/generated/app.ts';
import { createDatabase } from '../../../test-support/engines.ts';
import { testedEngines } from '../../../test-support/runtime-database.ts';
import { openProject, type TestProject } from '../../../test-support/test-project.ts';
import { temporaryFolder } from '../../../test-support/temporary-folder.ts';

let project: TestProject;

beforeAll(async () => {
  project = await openProject(definition);
});
afterAll(() => project.remove());

const account = (name: string, more = {}) => ({
  username: name,
  email: `${name}@example.org`,
  password: 'long enough',
  ...more,
});

test.each(await testedEngines())('on %s', async (engine) => {
  const uploads = await temporaryFolder();
  const database = engine === 'sqlite' ? undefined : await createDatabase(engine, 'many_accounts');
  let own: any;
  const events: string[] = [];
  const note = (name: string) => (event: any) => void events.push(`${name} ${event.entry.attributes.username}`);
  const hooks = { user: { afterCreate: note('after'), committed: note('committed') } };
  const settings = { UPLOAD_DIR: uploads.path, ...(database && { DATABASE_URL: database.url }) };
  const extensions = { hooks, onStart: (services: unknown) => void (own = services) };
  const server = await project.start(settings, extensions as any, 'many');
  try {
    const { user, file } = own.entries;
    const ids = await user.createMany(['ann', 'bob', 'cid'].map((name) => account(name)));
    const { data } = await user.find({ sort: 'id', populate: ['role'] });
    expect(data.map(({ id }: any) => id)).toEqual(ids);
    expect(data.map(({ attributes }: any) => attributes.role.data.attributes.type)).toContain('authenticated');
    const signedIn = await server.signIn('bob', 'long enough');
    expect([signedIn.status, signedIn.body.user.id]).toEqual([200, ids[1]]);
    const names = ['ann', 'bob', 'cid'];
    expect(events).toEqual([...names.map((name) => `after ${name}`), ...names.map((name) => `committed ${name}`)]);

    const taken = user.createMany([account('dan'), account('eve', { email: 'ann@example.org' })]);
    await expect(taken).rejects.toMatchObject({ issues: [{ path: ['1', 'email'] }] });
    await expect(user.createMany([account('dan'), { username: 'x' }])).rejects.toMatchObject({ status: 400 });
    expect(await user.count()).toBe(3);

    const text = (name: string) => ({ name: `${name}.txt`, source: Buffer.from(name) });
    const files = await file.createMany([text('one'), text('two')]);
    const found = await file.find({ sort: 'id' });
    expect(found.data.map(({ id, attributes }: any) => [id, attributes.name])).toEqual([
      [files[0], 'one.txt'],
      [files[1], 'two.txt'],
    ]);
    const before = await readdir(uploads.path);
    const refused = file.createMany([text('three'), { name: 'four.txt', source: 4 }]);
    await expect(refused).rejects.toMatchObject({ issues: [{ path: ['1', 'source'] }] });
    const missing = file.createMany([text('three'), { name: 'four.txt', source: `${uploads.path}/no such file` }]);
    await expect(missing).rejects.toMatchObject({ issues: [{ path: ['1', 'source'] }] });
    expect([await file.count(), await readdir(uploads.path)]).toEqual([2, before]);
  } finally {
    await server.close();
    await database?.drop();
    await uploads.remove();
  }
});
