/** Required uids inside the components of drafts: like those of entries, they wait for the values that they are made from. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, type TestDatabase } from '../templates/runtime/test-support/engines.ts';
import { testedEngines } from '../templates/runtime/test-support/runtime-database.ts';
import type { TestProject, TestServer } from '../templates/runtime/test-support/test-project.ts';
import { openSchema } from './support/served-project.ts';

const SCHEMA = `
name: awaited
databases: [sqlite, postgres, mysql]
permissions: { public: { '*': '*' } }
components:
  shared.part:
    attributes:
      title: { type: string }
      slug: { type: uid, targetField: title, required: true }
  shared.block:
    attributes:
      title: { type: string }
      slug: { type: uid, targetField: title, required: true }
      parts: { type: component, component: shared.part, repeatable: true }
contentTypes:
  page:
    draftAndPublish: true
    attributes:
      name: { type: string }
      block: { type: component, component: shared.block }
      zone: { type: dynamiczone, components: [shared.part] }
`;

describe.each(await testedEngines())('on %s', (engine) => {
  let project: TestProject;
  let database: TestDatabase | undefined;
  let server: TestServer;
  beforeAll(async () => {
    project = await openSchema(SCHEMA);
    if (engine !== 'sqlite') database = await createDatabase(engine, `awaited_uids_${process.pid}`);
    server = await project.start({ DATABASE_URL: database?.url ?? project.urlOf('test') });
  }, 120_000);
  afterAll(async () => {
    await server?.close();
    await database?.drop();
    await project?.remove();
  });

  async function send(method: string, path: string, data: object) {
    const query = '?populate[block][populate]=parts&populate[zone]=true';
    const answer = await server.send(method, `/api/pages${path}${query}`, { body: { data } });
    expect([200, 201], answer.text).toContain(answer.status);
    return answer.body.data;
  }
  const slugsOf = ({ block, zone }: any) => [
    block.slug,
    block.parts.map(({ slug }: any) => slug),
    zone.map(({ slug }: any) => slug),
  ];

  it('are made when a draft gets their targets, or else when it is published', async () => {
    const part = { __component: 'shared.part' };
    const { id, attributes: made } = await send('POST', '', {
      publishedAt: null,
      block: { parts: [{ title: 'One' }, {}] },
      zone: [part, { ...part, title: '' }],
    });
    expect(slugsOf(made)).toEqual([null, ['one', null], [null, null]]);
    const { block, zone } = made;
    const [one, two] = block.parts;
    const { attributes: named } = await send('PUT', `/${id}`, {
      block: { id: block.id, title: 'Block', parts: [{ id: two.id, title: 'Two' }, { id: one.id }, {}] },
      zone: [
        { ...part, id: zone[1].id, title: 'Zone' },
        { ...part, id: zone[0].id },
      ],
    });
    expect(slugsOf(named)).toEqual(['block', ['two', 'one', null], ['zone', null]]);
    const { attributes: published } = await send('PUT', `/${id}`, { publishedAt: new Date().toISOString() });
    expect(slugsOf(published)).toEqual(['block', ['two', 'one', 'shared-part'], ['zone', 'shared-part-1']]);
    expect(published.block.parts.map(({ id: of }: any) => of)).toEqual(named.block.parts.map(({ id: of }: any) => of));
  });

  it('are made at once in entries that are no drafts', async () => {
    const { attributes } = await send('POST', '', { block: { title: 'B', parts: [{}] }, zone: [] });
    expect(slugsOf(attributes)).toEqual(['b', [expect.stringMatching(/^shared-part/u)], []]);
  });
});
