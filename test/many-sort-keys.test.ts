/** Lists that are sorted by as many texts as one query may name. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_SORT_KEYS } from '../templates/runtime/src/contract/limits.ts';
import { testedEngines } from '../templates/runtime/test-support/runtime-database.ts';
import { createToken, type TestProject } from '../templates/runtime/test-support/test-project.ts';
import { type FileServer, openFileServer } from './support/file-server.ts';
import { openSchema } from './support/served-project.ts';

const names = Array.from({ length: MAX_SORT_KEYS }, (_, index) => `text${index}`);
const last = names.at(-1) ?? '';

const schema = `
name: sorted
databases: [sqlite, postgres, mysql]
contentTypes:
  note:
    attributes:
${names.map((name) => `      ${name}: { type: text }`).join('\n')}
      group: { type: relation, relation: manyToOne, target: group, inversedBy: notes }
  group:
    attributes:
      notes: { type: relation, relation: oneToMany, target: note, mappedBy: group }
`;

let project: TestProject & { readonly folder: string };
beforeAll(async () => {
  project = await openSchema(schema);
});
afterAll(() => project?.remove());

describe.each(await testedEngines())('on %s', (engine) => {
  let opened: FileServer;
  let token: string;
  beforeAll(async () => {
    opened = await openFileServer(project, 'sorted', { engine });
    token = await createToken(opened.database, { kind: 'full-access', name: 'sorted' });
  });
  afterAll(async () => {
    await opened?.server.close();
    await opened?.close();
  });

  it(`${MAX_SORT_KEYS} texts order a list, and what an entry is populated with`, async () => {
    const send = (method: string, path: string, body?: object) =>
      opened.server.send(method, `/api/${path}`, { token, ...(body && { body }) });
    const same = Object.fromEntries(names.map((name) => [name, 'same']));
    const ids: number[] = [];
    for (const value of ['b', 'c', 'a']) {
      const made = await send('POST', 'notes', { data: { ...same, [last]: value } });
      ids.push(made.body.data.id);
    }
    await send('POST', 'groups', { data: { notes: ids } });
    const sorted = [ids[2], ids[0], ids[1]];
    const list = await send('GET', `notes?sort=${names.join(',')}&fields=id`);
    expect([list.status, list.body.data?.map(({ id }: any) => id)]).toEqual([200, sorted]);
    const groups = await send('GET', `groups?populate[notes][sort]=${names.join(',')}&populate[notes][fields]=id`);
    const notes = groups.body.data?.[0].attributes.notes.data;
    expect([groups.status, notes?.map(({ id }: any) => id)]).toEqual([200, sorted]);
  });
});
