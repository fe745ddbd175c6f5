/** The audit in the panel: what was done, by whom, filtered, for whoever may read it. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAccount, fullAccess, type Send } from '../../support/full-access.ts';
import { type ServedProject, serveProject } from '../../support/served-project.ts';
import { isSkipped, openBrowser, signIn, sitDown } from './browser.ts';

const SCHEMA = `name: ledger
databases: [sqlite]
audit: true
contentTypes:
  article:
    attributes:
      title: { type: string, required: true }
permissions:
  editor: { '*': '*', admin: [access] }
  auditor: { article: [find, findOne], admin: [access], audit: [find] }
`;

describe.skipIf(isSkipped)('the audit', () => {
  let browser: Browser;
  let server: ServedProject;
  let send: Send;

  beforeAll(async () => {
    [browser, server] = await Promise.all([openBrowser(), serveProject(SCHEMA)]);
    send = await fullAccess(server);
    for (const username of ['editor', 'auditor']) await addAccount(send, username);
    for (let count = 0; count < 60; count += 1) {
      await send('POST', '/api/articles', { data: { title: `No. ${count}` } });
    }
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  it('is shown page by page, filtered, and leads to entries', async () => {
    const auditor = await sitDown(browser, server, await signIn(browser, server, 'auditor'));
    const { page } = auditor;
    await auditor.open('audit');
    const rows = page.getByRole('row');
    await page.getByText('user.sign-in').first().waitFor();
    await auditor.expectAccessible();
    await expect.poll(() => rows.count()).toBe(51);
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(() => rows.count()).toBeGreaterThan(60);
    await page.getByRole('combobox', { name: 'To what' }).click();
    await page.getByRole('option', { name: 'user', exact: true }).click();
    await expect.poll(() => page.getByText('entry.create').count()).toBe(0);
    await page.getByRole('combobox', { name: 'To what' }).click();
    await page.getByRole('option', { name: 'article' }).click();
    await page.getByRole('link', { name: 'article 60' }).click();
    await page.waitForURL(/\/admin\/articles\/60/u);
    auditor.expectNoComplaints();
  });

  it('is in the menu of those who may read it', async () => {
    for (const [name, count] of [
      ['editor', 0],
      ['auditor', 1],
    ] as const) {
      const person = await sitDown(browser, server, await signIn(browser, server, name));
      await person.open('articles');
      await person.page.getByRole('link', { name: 'Model' }).waitFor();
      expect(await person.page.getByRole('link', { name: 'Audit' }).count()).toBe(count);
    }
  });
});
