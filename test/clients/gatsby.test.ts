/** gatsby-source-strapi starts against a server and makes its nodes, by its own code: only gatsby around it is ours. */
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { fixtureSchema, type ServedProject, serveProject } from '../support/served-project.ts';
import { installGatsby } from './tools.ts';

interface GatsbyNode {
  readonly id: string;
  readonly internal: { readonly type: string };
  readonly [name: string]: unknown;
}

interface Plugin {
  sourceNodes(gatsby: object, config: object): Promise<void>;
}

let plugin: Plugin;
let served: ServedProject | undefined;

beforeAll(async () => {
  const folder = await installGatsby();
  plugin = createRequire(join(folder, 'package.json'))('gatsby-source-strapi/gatsby-node.js') as Plugin;
});
afterEach(() => served?.close());

/** What gatsby hands to plugins, as far as this one uses it. */
function gatsby() {
  const nodes = new Map<string, GatsbyNode>();
  const cache = new Map<string, unknown>();
  const own = (node: GatsbyNode) => ({ ...node, internal: { ...node.internal, owner: 'gatsby-source-strapi' } });
  return {
    nodes,
    api: {
      actions: {
        createNode: async (node: GatsbyNode) => void nodes.set(node.id, own(node)),
        deleteNode: (node: GatsbyNode) => void nodes.delete(node.id),
        touchNode: () => undefined,
      },
      createContentDigest: (value: unknown) => createHash('md5').update(JSON.stringify(value)).digest('hex'),
      createNodeId: (text: string) => text,
      reporter: {
        info: () => undefined,
        panic(message: string, error: unknown) {
          throw new Error(message, { cause: error });
        },
      },
      cache: {
        get: async (key: string) => cache.get(key),
        set: async (key: string, value: unknown) => void cache.set(key, value),
      },
      getCache: () => undefined,
      store: {},
      getNodes: () => [...nodes.values()],
      getNode: (id: string) => nodes.get(id),
    },
  };
}

async function serve(format: string): Promise<string> {
  const permissions = "permissions:\n  public: { '*': '*', content-type-builder: [find] }\n";
  const schema = (await fixtureSchema('blog')).replace(/^permissions:[^]*$/mu, permissions);
  const { origin } = (served = await serveProject(`api: { format: ${format} }\n${schema}`));
  return origin;
}

async function send(origin: string, method: string, path: string, data: object): Promise<any> {
  const headers = { 'Content-Type': 'application/json' };
  const answer = await fetch(`${origin}/api/${path}`, { method, headers, body: JSON.stringify({ data }) });
  expect(answer.status, await answer.clone().text()).toBeLessThan(300);
  return ((await answer.json()) as { data: unknown }).data;
}

it.each([
  ['v4', 4],
  ['v5', 5],
])(
  'makes nodes of a server of the format %s, and fetches what has changed since',
  async (format, version) => {
    const origin = await serve(format);
    const author = await send(origin, 'POST', 'authors', { name: 'Ann' });
    const article = { title: 'Waves', author: author.id };
    await send(origin, 'POST', 'articles', article);
    await send(origin, 'PUT', 'homepage', { headline: 'Hello' });
    const { api, nodes } = gatsby();
    const config = {
      apiURL: origin,
      version,
      skipFileDownloads: true,
      collectionTypes: ['article', { singularName: 'author', queryParams: { pagination: { pageSize: 1 } } }],
      singleTypes: ['homepage'],
    };
    const ofType = (type: string) => [...nodes.values()].filter(({ internal }) => internal.type === type);
    await plugin.sourceNodes(api, structuredClone(config));
    expect(ofType('STRAPI_ARTICLE')).toMatchObject([{ title: 'Waves' }]);
    expect(ofType('STRAPI_AUTHOR')).toMatchObject([{ name: 'Ann' }]);
    expect(ofType('STRAPI_HOMEPAGE')).toHaveLength(1);

    await send(origin, 'POST', 'authors', { name: 'Bob' });
    await plugin.sourceNodes(api, structuredClone(config));
    expect(ofType('STRAPI_AUTHOR').map(({ name }) => name)).toEqual(['Ann', 'Bob']);
  },
  120_000,
);
