/** Discarding a draft puts back only what the caller may write. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testedEngines } from '../templates/runtime/test-support/runtime-database.ts';
import type { TestProject } from '../templates/runtime/test-support/test-project.ts';
import { type EngineServer, startOn } from './support/engine-server.ts';
import { openSchema } from './support/served-project.ts';

const SCHEMA = `
name: discarded
databases: [sqlite, postgres, mysql]
api: { format: v5 }
contentTypes:
  review:
    draftAndPublish: true
    history: true
    creatorFields: true
    attributes:
      title: { type: string }
      rating: { type: integer }
      price: { type: decimal }
      hidden: { type: string }
      note: { type: string, private: true }
      key: { type: password }
      tags: { type: relation, relation: manyToMany, target: tag, inversedBy: reviews }
      facts: { type: component, component: shared.fact, repeatable: true }
      owner: { type: relation, relation: manyToOne, target: user }
      editor: { type: relation, relation: manyToOne, target: user }
  tag:
    attributes:
      name: { type: string }
      reviews: { type: relation, relation: manyToMany, target: review, mappedBy: tags }
components:
  shared.fact: { attributes: { text: { type: string } } }
permissions:
  authenticated:
    review:
      - { find: { except: [hidden] } }
      - { findOne: { except: [hidden] } }
      - preview
      - { update: { where: { owner: $user }, set: { editor: $user }, only: [title] } }
    tag: [find]
`;

let project: TestProject;
beforeAll(async () => {
  project = await openSchema(SCHEMA);
});
afterAll(() => project?.remove());

describe.each(await testedEngines())('on %s', (engine) => {
  let site: EngineServer;
  let ann: { id: number; jwt: string };
  beforeAll(async () => {
    site = await startOn(engine, project, 'discarded');
    ann = await site.server.register('ann');
  });
  afterAll(() => site?.close());

  const send = (method: string, path: string, data?: object, token = site.admin) =>
    site.server.send(method, `/api${path}`, { token, ...(data && { body: { data } }) });

  it('is refused to who may not write what it would put back', async () => {
    const tag = (await send('POST', '/tags', { name: 't' })).body.data.documentId;
    const data = { title: 'a', rating: 1, price: '1.50', owner: ann.id, tags: [tag], facts: [{ text: 'f' }] };
    const { documentId } = (await send('POST', '/reviews', data)).body.data;
    const path = `/reviews/${documentId}`;
    const draft = async () =>
      JSON.stringify((await send('GET', `${path}?status=draft&populate=tags,facts,editor`)).body.data);
    const change = (values: object, by = ann.jwt) => send('PUT', `${path}?status=draft`, values, by);
    const discard = (by = ann.jwt) => send('POST', `${path}/actions/discard-draft`, undefined, by);
    const published = (await send('GET', path)).body.data;

    // What is hers goes, and so does who has edited it, which the rule says.
    expect((await change({ title: 'b' })).status).toBe(200);
    expect((await discard()).status).toBe(200);
    expect(JSON.parse(await draft())).toMatchObject({ title: 'a', rating: 1, editor: null });

    const refused: readonly (readonly [values: object, named: string])[] = [
      [{ rating: 2 }, 'rating'],
      [{ price: '1.75', rating: 3 }, 'rating, price'],
      [{ tags: [] }, 'tags'],
      [{ facts: [{ text: 'g' }] }, 'facts'],
      [{ hidden: 'x' }, 'something'],
      [{ note: 'x' }, 'something'],
      [{ key: 'a long password' }, 'key'],
    ];
    for (const [values, named] of refused) {
      expect((await change(values)).status).toBe(400);
      expect((await change(values, site.admin)).status).toBe(200);
      expect((await change({ title: 'c' })).status).toBe(200);
      const before = await draft();
      const { status, body } = await discard();
      expect([status, body.error?.message]).toEqual([
        403,
        `The draft has another value of ${named}, which this role may not change: it can't be discarded`,
      ]);
      expect(await draft()).toBe(before);
      expect((await discard(site.admin)).status).toBe(200);
    }
    expect((await change({ title: 'd' })).status).toBe(200);
    expect((await discard()).status).toBe(200);
    expect((await send('GET', path)).body.data).toEqual(published);
  });
});
