/** Clients that others have written for Strapi do on a generated server what their users do. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixtureSchema, type ServedProject, serveProject } from '../../support/served-project.ts';
import { installThirdParty, loadProgram } from './installed.ts';

const FORMATS = ['v4', 'v5'] as const;

const servers = new Map<string, ServedProject>();

beforeAll(async () => {
  await installThirdParty();
  for (const format of FORMATS) {
    const schema = (await fixtureSchema('magazine')).replace('maxPopulateDepth: 8', `$&, format: ${format}`);
    const own = '\n  authenticated:\n    extends: public\n    users: [me]\n';
    servers.set(format, await serveProject(`${schema}${own}`));
  }
});
afterAll(async () => {
  for (const server of servers.values()) await server.close();
});

const originOf = (format: string): string => servers.get(format)?.origin ?? '';

describe.each(FORMATS)('of a server of the %s format', (format) => {
  it('strapi-sdk-js', async () => {
    const drive = await loadProgram('strapi-sdk-js.js');
    expect(await drive(originOf(format), format === 'v5' ? 'documentId' : 'id')).toEqual({
      jwt: 'string',
      me: expect.stringContaining('sdk-'),
      total: 1,
      author: expect.stringContaining('sdk-'),
      topics: 1,
      pages: 3,
      wrong: [null, 400, 'ValidationError'],
      gone: [null, 404, 'NotFoundError'],
      nowhere: [null, 404, 'NotFoundError'],
    });
  });

  it('the composables of Nuxt', async () => {
    const drive = await loadProgram('nuxt.js', { '#imports': 'nuxt-imports.js' });
    expect(await drive(originOf(format), format)).toEqual({
      jwt: 'string',
      me: `nuxt-${format}`,
      found: [1, 1, `nuxt-${format}`],
      pages: 4,
      setting: `nuxt-${format}`,
      deleted: format === 'v5' ? 'nothing' : true,
      gone: 404,
      errors: ['strapi:error', 404],
      media: true,
    });
  });
});

describe('of a server of the v4 format', () => {
  it("refine's data provider", async () => {
    const drive = await loadProgram('refine.js');
    expect(await drive(originOf('v4'))).toEqual({
      total: 3,
      titles: ['Refine 3', 'Refine 2'],
      author: 'Refine & Ann',
      topics: ['refine one'],
      plain: expect.any(Number),
      some: 3,
      one: ['Refine & Ann', 1],
      changed: ['refine two', 'refine one'],
      refused: [400, ['name']],
      left: 0,
      me: 'refine',
    });
  });

  it("react-admin's data provider", async () => {
    const drive = await loadProgram('react-admin.js');
    expect(await drive(originOf('v4'))).toEqual({
      total: 2,
      titles: ['React 2', 'React 3'],
      reference: [3, 2],
      many: 3,
      record: [true, [expect.any(Number)], ''],
      updated: [7, null],
      cover: 'image/png',
      refused: [400, ['name']],
      deleted: true,
      left: 0,
    });
  });
});
