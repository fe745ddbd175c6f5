/** The start page: whose work it shows, what was published, what is planned, and what has failed, as far as the role may know. */
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../templates/runtime/src/database/open-database.ts';
import { raw } from '../../../templates/runtime/src/database/sql.ts';
import { addJob } from '../../../templates/runtime/src/features/jobs/job-rows.ts';
import {
  receiveWebhooks,
  SECRET,
  type WebhookReceiver,
} from '../../../templates/runtime/test-support/webhook-receiver.ts';
import { addAccount, fullAccess, type Send } from '../../support/full-access.ts';
import { type ServedProject, serveProject } from '../../support/served-project.ts';
import { isSkipped, openBrowser, type Person, signIn, sitDown } from './browser.ts';
import { PASSWORD } from './kiosk.ts';

const SCHEMA = `name: desk
databases: [sqlite]
schedules: true
jobs: true
webhooks: [{ url: $SITE_HOOK, secret: $SITE_SECRET }]
contentTypes:
  article:
    draftAndPublish: true
    creatorFields: true
    admin: { icon: article }
    attributes:
      title: { type: string, required: true }
      teaser: { type: string, required: true }
  note: { attributes: { title: { type: string } } }
permissions:
  chief: { '*': '*', users: [find], releases: '*', webhooks: [find], jobs: [find], admin: [access] }
  author: { article: '*', note: '*', admin: [access] }
  reader: { article: [find, findOne], admin: [access] }
`;

const LATER = '2998-01-01T10:00:00Z';

describe.skipIf(isSkipped)('the start page', () => {
  let browser: Browser;
  let server: ServedProject;
  let site: WebhookReceiver;
  let send: Send;
  let chief: Person;
  let author: Person;
  let reader: Person;

  async function addPerson(username: string): Promise<Person> {
    await addAccount(send, username);
    return sitDown(browser, server, await signIn(browser, server, username));
  }

  /** Writes an article as somebody. */
  async function write(identifier: string, data: object): Promise<number> {
    const post = async (path: string, body: object, headers = {}) => {
      const init = { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers } };
      const response = await fetch(`${server.origin}${path}`, { ...init, body: JSON.stringify(body) });
      return (await response.json()) as any;
    };
    const { jwt } = await post('/api/auth/local', { identifier, password: PASSWORD });
    return (await post('/api/articles', { data }, { Authorization: `Bearer ${jwt}` })).data.id;
  }

  async function run(...statements: readonly string[]): Promise<void> {
    const database = await openDatabase(server.databaseUrl);
    for (const statement of statements) await database.run(raw(statement));
    await database.close();
  }

  beforeAll(async () => {
    site = await receiveWebhooks();
    const environment = { SITE_HOOK: site.url, SITE_SECRET: SECRET, WEBHOOKS_ALLOW_PRIVATE: 'true' };
    [browser, server] = await Promise.all([openBrowser(), serveProject(SCHEMA, { environment })]);
    send = await fullAccess(server);
    chief = await addPerson('chief');
    author = await addPerson('author');
    reader = await addPerson('reader');
    await write('chief', { title: 'By the chief', teaser: 'One' });
    await write('author', { title: 'By the author', teaser: 'Two' });
    await write('author', { title: 'Draft of the author', publishedAt: null });
    await write('chief', { title: 'Draft of the chief', teaser: 'Three', publishedAt: null });
    await send('POST', '/api/articles', { data: { title: 'By nobody', teaser: 'Four' } });
    await send('POST', '/api/notes', { data: { title: 'A note' } });
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    await site?.close();
  });
  afterEach(() => {
    for (const person of [chief, author, reader]) person.expectNoComplaints();
  });

  /** Opens the page, and waits for all of it. */
  const start = async (person: Person): Promise<void> => {
    await person.open('');
    await person.page.getByRole('region', { name: 'Work' }).getByRole('link').first().waitFor();
    await person.page.waitForLoadState('networkidle');
  };
  const titles = async ({ page }: Person, name: string): Promise<readonly string[]> => {
    await page.waitForLoadState('networkidle');
    return page.getByRole('list', { name, exact: true }).locator('bdi').allTextContents();
  };
  const press = ({ page }: Person, name: string) => page.getByRole('button', { name, exact: true }).click();
  const kinds = ({ page }: Person) => page.getByRole('group', { name: 'Work' }).getByRole('button').allTextContents();

  it('shows the work of everybody, of oneself and of others', async () => {
    await start(chief);
    const all = ['A note', 'By nobody', 'Draft of the chief', 'Draft of the author', 'By the author', 'By the chief'];
    expect(await titles(chief, 'Recently edited')).toEqual(all);
    await chief.page.getByRole('link', { name: /^By the author.*Article.*author$/u }).waitFor();
    await press(chief, 'Me');
    await expect.poll(() => titles(chief, 'Recently edited')).toEqual(['Draft of the chief', 'By the chief']);
    await press(chief, 'Others');
    await expect.poll(() => titles(chief, 'Recently edited')).toEqual(['Draft of the author', 'By the author']);
    await press(chief, 'Never published');
    await expect.poll(() => titles(chief, 'Never published')).toEqual(['Draft of the author']);
    await press(chief, 'Me');
    await expect.poll(() => titles(chief, 'Never published')).toEqual(['Draft of the chief']);
    await chief.expectAccessible();
  });

  it('shows what was published last, also to those who may only read', async () => {
    await press(chief, 'Recently published');
    await press(chief, 'Everybody');
    const published = ['By nobody', 'By the author', 'By the chief'];
    await expect.poll(() => titles(chief, 'Recently published')).toEqual(published);
    await start(reader);
    expect(await titles(reader, 'Recently published')).toEqual(published);
    expect(await kinds(reader)).toEqual([]);
    await reader.expectAccessible();
  });

  it('asks for nothing that the role may not see', async () => {
    const asked = (person: Person) =>
      person.requests().filter((line) => /createdBy|updatedBy|_schedules|releases|_webhooks|_jobs/u.test(line));
    reader.requests();
    await start(reader);
    expect(asked(reader)).toEqual([]);
    author.requests();
    await start(author);
    expect(asked(author)).toEqual(['GET /api/_schedules']);
    expect(await author.page.getByRole('button', { name: 'Others' }).count()).toBe(0);
    chief.requests();
    await start(chief);
    expect(chief.requests().filter((line) => line.includes('/api/')).length).toBeLessThanOrEqual(12);
  });

  it('shows what is planned, the next first', async () => {
    await start(chief);
    await chief.page.getByRole('region', { name: 'Planned' }).getByText('Nothing here.').waitFor();
    expect(await chief.page.getByRole('region', { name: 'Failed' }).count()).toBe(0);
    await send('PUT', '/api/articles/4/schedule', { publishAt: LATER, unpublishAt: '2999-01-01T10:00:00Z' });
    const items = [{ type: 'article', id: 3, action: 'publish' }];
    await send('POST', '/api/releases', { name: 'Spring', items, at: '2998-06-01T10:00:00Z' });
    await start(chief);
    const planned = chief.page.getByRole('list', { name: 'Planned' });
    await planned.getByRole('link', { name: /^Draft of the chief\s*Publishes on/u }).waitFor();
    expect(await titles(chief, 'Planned')).toEqual(['Draft of the chief', 'Spring', 'Draft of the chief']);
    await chief.expectAccessible();
    await planned.getByRole('link', { name: /^Spring/u }).click();
    await chief.page.waitForURL(/releases\/1$/u);
    await start(author);
    expect(await titles(author, 'Planned')).toEqual(['Draft of the chief', 'Draft of the chief']);
  });

  it('shows what has failed, and why, to those who may see it', async () => {
    await send('PUT', '/api/articles/3/schedule', { publishAt: LATER });
    const database = await openDatabase(server.databaseUrl);
    await addJob(database, { moved: 0 }, { name: 'sendMail', input: undefined, key: 'to Ann', after: 86_400_000 });
    await database.close();
    const tries = JSON.stringify([{ at: new Date().toISOString(), error: 'no such host' }]);
    await run(
      'UPDATE scheduled_publications SET due_at = 1 WHERE entry_id = 3',
      'UPDATE planned_releases SET due_at = 2',
      `UPDATE queued_jobs SET state = 2, due_at = ${Date.now()}, tries = '${tries}'`,
      'UPDATE outbox SET state = 2 WHERE id = (SELECT min(id) FROM outbox)',
    );
    const refusals = async () => [
      ...(await send('GET', '/api/articles/3/schedule')).data.refusals,
      ...(await send('GET', '/api/releases/1')).data.refusals,
    ];
    await expect.poll(async () => (await refusals()).length, { timeout: 10_000 }).toBe(2);
    await start(chief);
    const failed = chief.page.getByRole('list', { name: 'Failed' });
    await failed.getByRole('link', { name: /^SITE_HOOK.*1 event was given up/u }).waitFor();
    await failed.getByRole('link', { name: /^sendMail · to Ann.*no such host/u }).waitFor();
    await failed.getByRole('link', { name: /^Spring.*Not published on.*Teaser: Required$/u }).waitFor();
    await failed.getByRole('link', { name: /^Draft of the author.*Not published on.*Teaser: Required$/u }).waitFor();
    expect(await failed.getByRole('listitem').count()).toBe(4);
    await chief.expectAccessible();
    await start(author);
    expect(await titles(author, 'Failed')).toEqual(['Draft of the author']);
    await author.page.getByRole('button', { name: 'author' }).click();
    await author.page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
    await author.page.getByRole('link', { name: /^Draft of the author.*Teaser: Pflichtfeld$/u }).waitFor();
    await failed.getByRole('link', { name: /^sendMail/u }).click();
    await chief.page.waitForURL(/jobs$/u);
    await start(reader);
    expect(await reader.page.getByRole('region', { name: 'Failed' }).count()).toBe(0);
    expect(await reader.page.getByRole('region', { name: 'Planned' }).count()).toBe(0);
  });

  it('goes on when a part can’t be read', async () => {
    const { page } = chief;
    await page.route(/_schedules|_jobs/u, (route) => route.fulfill({ status: 500, json: {} }));
    await start(chief);
    await page.getByText('Could not be read: Schedule.').waitFor();
    await page.getByText('Could not be read: Jobs.').waitFor();
    await page
      .getByRole('list', { name: 'Failed' })
      .getByRole('link', { name: /^Spring/u })
      .waitFor();
    await page.unroute(/_schedules|_jobs/u);
  });
});
