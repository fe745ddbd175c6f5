/** Webhooks and jobs in the panel: what was told and done, what failed, and again; for whoever may. */
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../templates/runtime/src/database/open-database.ts';
import { addJob } from '../../../templates/runtime/src/features/jobs/job-rows.ts';
import {
  receiveWebhooks,
  SECRET,
  type WebhookReceiver,
} from '../../../templates/runtime/test-support/webhook-receiver.ts';
import { addAccount, fullAccess, type Send } from '../../support/full-access.ts';
import { type ServedProject, serveProject } from '../../support/served-project.ts';
import { isSkipped, openBrowser, type Person, signIn, sitDown } from './browser.ts';

const SCHEMA = `name: signal
databases: [sqlite]
jobs: true
webhooks: [{ url: $SITE_HOOK, secret: $SITE_SECRET }]
contentTypes:
  article: { attributes: { title: { type: string } } }
permissions:
  operator: { article: '*', webhooks: '*', jobs: '*', admin: [access] }
  watcher: { article: '*', webhooks: [find], jobs: [find], admin: [access] }
  editor: { article: '*', admin: [access] }
`;

describe.skipIf(isSkipped)('webhooks and jobs', () => {
  let browser: Browser;
  let server: ServedProject;
  let send: Send;
  let site: WebhookReceiver;
  let operator: Person;

  async function addPerson(username: string): Promise<Person> {
    await addAccount(send, username);
    return sitDown(browser, server, await signIn(browser, server, username));
  }

  beforeAll(async () => {
    site = await receiveWebhooks();
    const environment = { SITE_HOOK: site.url, SITE_SECRET: SECRET, WEBHOOKS_ALLOW_PRIVATE: 'true' };
    [browser, server] = await Promise.all([openBrowser(), serveProject(SCHEMA, { environment })]);
    send = await fullAccess(server);
    const database = await openDatabase(server.databaseUrl);
    await addJob(database, { moved: 0 }, { name: 'sendMail', input: undefined, key: 'to Ann', after: 0 });
    await database.close();
    operator = await addPerson('operator');
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    await site?.close();
  });
  afterEach(() => operator.expectNoComplaints());

  it('shows events with their tries, tells one again, sends a test, disables and enables', async () => {
    const { page } = operator;
    await send('POST', '/api/articles', { data: { title: 'One' } });
    await operator.open('webhooks');
    const hook = page.getByRole('region', { name: 'SITE_HOOK' });
    await hook.getByRole('button', { name: 'Events' }).click();
    await expect.poll(() => site.told.length).toBeGreaterThan(0);
    await expect
      .poll(async () => {
        await operator.open('webhooks');
        await hook.getByRole('button', { name: 'Events' }).click();
        await hook.getByRole('row').nth(1).waitFor();
        return hook.getByRole('cell', { name: 'Told' }).count();
      })
      .toBe(1);
    expect(await hook.getByRole('row').nth(1).innerText()).toMatch(
      /entry\.create\s+article 1\s+Told\s[^·]* · 200 · \d+ ms/u,
    );
    await operator.expectAccessible();
    await hook.getByRole('button', { name: /^Tell event \d+ again$/u }).click();
    await page.getByText('1 event is told again').waitFor();
    await expect.poll(() => site.told.length).toBe(2);
    await hook.getByRole('button', { name: 'Send test' }).click();
    await page.getByText('SITE_HOOK has answered 200').waitFor();
    await hook.getByRole('button', { name: 'Disable' }).click();
    await hook.getByText('Disabled since').waitFor();
    await hook.getByRole('button', { name: 'Enable' }).click();
    await hook.getByText('Disabled since').waitFor({ state: 'hidden' });
    expect(await page.content()).not.toContain(site.url);
  });

  it('shows jobs, does one again, and removes it', async () => {
    const { page } = operator;
    await operator.open('jobs');
    const row = page.getByRole('row', { name: 'sendMail · to Ann' });
    await row.getByText('Waits').waitFor();
    await operator.expectAccessible();
    await row.getByRole('button', { name: 'Do job 1 again' }).click();
    await page.getByText('The job is done again').waitFor();
    await row.getByRole('button', { name: 'Remove job 1' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('The job has been removed').waitFor();
    await page.getByText('No jobs').waitFor();
  });

  it('are shown to those who may read, with no commands to those who may only read', async () => {
    const watcher = await addPerson('watcher');
    await watcher.open('webhooks');
    await watcher.page.getByRole('region', { name: 'SITE_HOOK' }).waitFor();
    expect(await watcher.page.getByRole('button', { name: 'Send test' }).count()).toBe(0);
    const editor = await addPerson('editor');
    await editor.open('');
    await editor.page.getByRole('link', { name: 'Model' }).waitFor();
    expect(await editor.page.getByRole('link', { name: 'Webhooks' }).count()).toBe(0);
    expect(await editor.page.getByRole('link', { name: 'Jobs' }).count()).toBe(0);
  });
});
