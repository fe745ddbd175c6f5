/** However many entries a document of GraphQL leads to, each of its top fields is one statement, and each level of lists inside lists a few. */
import { threadId } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase } from '../templates/runtime/test-support/engines.ts';
import { testedEngines } from '../templates/runtime/test-support/runtime-database.ts';
import { type BundledProject, bundleProject } from './support/bundled-project.ts';
import type { RunningServer } from './support/project.ts';
import { openCollector, type TraceCollector } from './support/trace-collector.ts';

const SCHEMA = `
name: statements
databases: [sqlite, postgres, mysql]
api: { format: v5 }
graphql: true
permissions: { public: { article: '*', author: '*', tag: '*', home: '*' } }
contentTypes:
  article:
    attributes:
      title: { type: string }
      author: { type: relation, relation: manyToOne, target: author, inversedBy: articles }
      tags: { type: relation, relation: manyToMany, target: tag, inversedBy: articles }
      seo: { type: component, component: shared.seo }
      parts: { type: component, component: shared.seo, repeatable: true }
      blocks: { type: dynamiczone, components: [shared.seo, shared.quote] }
  author:
    attributes:
      name: { type: string }
      articles: { type: relation, relation: oneToMany, target: article, mappedBy: author }
  tag:
    attributes:
      name: { type: string }
      articles: { type: relation, relation: manyToMany, target: article, mappedBy: tags }
  home: { kind: singleType, attributes: { headline: { type: string } } }
components:
  shared.seo: { attributes: { title: { type: string }, tag: { type: relation, relation: oneWay, target: tag } } }
  shared.quote: { attributes: { text: { type: string } } }
`;

const LIST = 'articles(pagination: { limit: 100 })';

/** Documents with the number of their statements. */
const DOCUMENTS: Readonly<Record<string, number>> = {
  [`{ ${LIST} { title } }`]: 1,
  [`{ ${LIST} { title author { name } tags { name } seo { title tag { name } } } }`]: 1,
  [`{ ${LIST} { parts { title tag { name } } blocks { ... on ComponentSharedSeo { tag { name } } ... on ComponentSharedQuote { text } } } }`]: 1,
  [`{ ${LIST} { title } authors { name } home { headline } }`]: 3,
  [`{ a: ${LIST} { title } b: ${LIST} { title tags { name } } }`]: 2,
};

/** Documents with lists inside lists, and the number of their levels. */
const NESTED: Readonly<Record<string, number>> = {
  [`{ ${LIST} { tags { name articles { title } } } }`]: 2,
  [`{ ${LIST} { author { articles { tags { name } } } } }`]: 2,
  [`{ ${LIST} { tags { articles { author { articles { title } } } } } }`]: 3,
};
/** The ids in the lists of a level, and the entries, each with a small statement first, by whose size the next one is chosen. */
const STATEMENTS_OF_LEVEL = 4;

/** A statement that reads content: not what a server looks up from time to time, such as the sizes of tables. */
const READS_CONTENT = /FROM ["`](?:articles|authors|tags|homes)\b/u;
const COUNTS_ROWS = /^SELECT MAX\(id\) AS rows\b/u;

let project: BundledProject;
beforeAll(async () => {
  project = await bundleProject(SCHEMA);
});
afterAll(() => project?.remove());

describe.each(await testedEngines())('on %s', (dialect) => {
  let collector: TraceCollector;
  let server: RunningServer;
  let drop = async (): Promise<void> => undefined;
  let traces = 0;

  beforeAll(async () => {
    const database = dialect === 'sqlite' ? undefined : await createDatabase(dialect, `statements_${threadId}`);
    drop = async () => database?.drop();
    collector = await openCollector();
    server = await project.start({
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.port}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '100',
      DATABASE_URL: database?.url ?? 'sqlite:./data/statements.db',
    });
  });
  afterAll(async () => {
    await server?.stop('SIGKILL');
    collector?.close();
    await drop();
  });

  async function post(path: string, body: object, traceparent?: string): Promise<any> {
    const response = await fetch(server.origin + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(traceparent && { traceparent }) },
      body: JSON.stringify(body),
    });
    const answer: any = await response.json();
    if (!response.ok || answer.errors) throw new Error(JSON.stringify(answer));
    return answer.data;
  }

  /** Makes articles with an author, tags and components each. */
  async function addArticles(count: number): Promise<void> {
    for (let made = 0; made < count; made += 1) {
      const { documentId: author } = await post('/api/authors', { data: { name: 'Ann' } });
      const { documentId: tag } = await post('/api/tags', { data: { name: 'koa' } });
      const seo = { title: 'seo', tag };
      await post('/api/articles', {
        data: {
          title: 'One',
          author,
          tags: [tag],
          seo,
          parts: [seo, seo],
          blocks: [
            { __component: 'shared.seo', ...seo },
            { __component: 'shared.quote', text: 'q' },
          ],
        },
      });
    }
  }

  /** The statements that read for a document. */
  async function statementsOf(query: string): Promise<readonly string[]> {
    traces += 1;
    const traceId = String(traces).padStart(32, 'a');
    await post('/graphql', { query }, `00-${traceId}-${'b'.repeat(16)}-01`);
    const found = () => collector.spans.filter((span) => span.traceId === traceId);
    await expect.poll(() => found().some(({ kind }) => kind === 2), { timeout: 20_000 }).toBe(true);
    const texts = found().filter(({ kind }) => kind === 3);
    return texts
      .map(({ attributes }) => String(attributes['db.query.text']))
      .filter((text) => READS_CONTENT.test(text) && !COUNTS_ROWS.test(text));
  }

  it.each([3, 60])('with %i further articles', async (count) => {
    await addArticles(count);
    for (const [document, most] of Object.entries(DOCUMENTS)) {
      const statements = await statementsOf(document);
      expect(statements.length, `${document}\n${statements.join('\n')}`).toBe(most);
    }
    for (const [document, levels] of Object.entries(NESTED)) {
      const statements = await statementsOf(document);
      expect(statements.length, document).toBeLessThanOrEqual(1 + STATEMENTS_OF_LEVEL * levels);
    }
  });
});
