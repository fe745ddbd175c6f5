/** Refusals within answers of GraphQL and of agents' tools count in the audit like those of requests, and those of dry runs. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, it } from 'vitest';
import { createToken } from '../templates/runtime/test-support/test-project.ts';
import { openSchema } from './support/served-project.ts';

const SCHEMA = `
name: counted
databases: [sqlite]
audit: true
graphql: true
mcp: true
contentTypes:
  tag: { attributes: { name: { type: string } } }
permissions:
  public: { tag: [find] }
`;

it('are counted', { timeout: 60_000 }, async () => {
  const project = await openSchema(SCHEMA);
  // A policy refuses even those who have every right.
  const server = await project.start({}, { actions: { tag: { policies: [() => false] } } } as any);
  try {
    const database = await project.open();
    const token = await createToken(database, { kind: 'full-access' });
    const document = 'mutation { createTag(data: { name: "x" }) { data { id } } }';
    const answer = await server.send('POST', '/graphql', { token, body: { query: document } });
    expect([answer.status, answer.body.errors?.[0].message]).toEqual([200, 'Forbidden access']);
    const operations = [{ method: 'POST', path: '/api/tags', body: { data: { name: 'x' } } }];
    const dry = await server.send('POST', '/api/_batch', { token, body: { operations, dryRun: true } });
    expect(dry.body.refused[0].error.status).toBe(403);
    const client = new Client({ name: 'test', version: '1.0.0' });
    const headers = { Authorization: `Bearer ${token}` };
    const transport = new StreamableHTTPClientTransport(new URL(`${server.origin}/mcp`), { requestInit: { headers } });
    await client.connect(transport);
    const { content } = (await client.callTool({ name: 'create_tag', arguments: { data: { name: 'x' } } })) as any;
    expect(JSON.parse(content[0].text).error.status).toBe(403);
    await client.close();
    // What is counted is recorded when the server stops.
    await server.close();
    const rows = await database.all({ text: `SELECT details FROM audit_log WHERE event = 'refused'`, params: [] });
    const counted = rows.map(({ details }) => JSON.parse(String(details)));
    expect(counted).toEqual(expect.arrayContaining([{ count: 2 }, { count: 1, permission: 'tag.create' }]));
    await database.close();
  } finally {
    await project.remove();
  }
});
