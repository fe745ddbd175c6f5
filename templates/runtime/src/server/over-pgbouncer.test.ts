/** A whole server over PgBouncer in transaction mode. */
import { expect, it } from 'vitest';
import { hasPgBouncer, openPgBouncer } from '../../test-support/pgbouncer.ts';
import { definition } from '../../test-support/projects/members/src/generated/app.ts';
import { openEngine, testedEngines } from '../../test-support/runtime-database.ts';
import { createToken, openProject } from '../../test-support/test-project.ts';

const isTested = hasPgBouncer() && (await testedEngines()).includes('postgres');

it.runIf(isTested)('migrates, and writes and reads entries, with fewer connections than requests', async () => {
  const opened = await openEngine('postgres', 'bounced');
  const pooler = await openPgBouncer(opened.url, 2);
  const project = await openProject(definition);
  const environment = { DATABASE_URL: pooler.url, MIGRATE_DATABASE_URL: opened.url, DATABASE_PREPARED: 'false' };
  const server = await project.start(environment);
  try {
    const token = await createToken(opened.database, { kind: 'full-access' });
    const titles = Array.from({ length: 20 }, (_, index) => `title ${index}`);
    const made = await Promise.all(
      titles.map((title) => server.send('POST', '/api/books', { token, body: { data: { title } } })),
    );
    expect(made.map(({ status }) => status)).toEqual(titles.map(() => 201));
    const list = await server.send('GET', '/api/books?sort=id&populate=*', { token });
    expect(list.body.meta.pagination.total).toBe(20);
    expect((await server.send('GET', '/_ready')).status).toBe(204);
  } finally {
    await server.close();
    await project.remove();
    await pooler.close();
    await opened.drop();
  }
});
