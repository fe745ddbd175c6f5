/** When drafts are published: planned in the form, in the person's time zone, told in lists, with the reason if that was refused. */
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../templates/runtime/src/database/open-database.ts';
import { raw } from '../../../templates/runtime/src/database/sql.ts';
import { addAccount, fullAccess, type Send } from '../../support/full-access.ts';
import { type ServedProject, serveProject } from '../../support/served-project.ts';
import { isSkipped, openBrowser, type Person, signIn, sitDown } from './browser.ts';

const SCHEMA = `name: calendar
databases: [sqlite]
schedules: true
contentTypes:
  article:
    draftAndPublish: true
    attributes:
      title: { type: string, required: true }
      teaser: { type: string, required: true }
permissions:
  editor: { '*': '*', admin: [access] }
`;

describe.skipIf(isSkipped)('schedules', () => {
  let browser: Browser;
  let server: ServedProject;
  let send: Send;
  let editor: Person;

  beforeAll(async () => {
    [browser, server] = await Promise.all([openBrowser(), serveProject(SCHEMA)]);
    send = await fullAccess(server);
    await addAccount(send, 'editor');
    for (const title of ['Ready', 'Incomplete']) {
      const teaser = title === 'Ready' ? 'Soon' : null;
      await send('POST', '/api/articles', { data: { title, teaser, publishedAt: null } });
    }
    editor = await sitDown(browser, server, await signIn(browser, server, 'editor'));
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });
  afterEach(() => editor.expectNoComplaints());

  const panel = () => editor.page.getByRole('region', { name: 'Schedule' });
  const plan = async (field: string, time: string): Promise<void> => {
    const { page } = editor;
    await panel().getByRole('button', { name: 'Schedule…' }).click();
    await page.getByLabel(field, { exact: true }).fill(time);
    // Dialogs fade in.
    const opacity = () => page.evaluate("getComputedStyle(document.querySelector('.MuiDialog-container')).opacity");
    await expect.poll(opacity).toBe('1');
    await editor.expectAccessible();
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  };

  it('plans a publication in the time zone of the person', async () => {
    await editor.open('articles/1');
    await plan('Publish on', '2020-01-01T10:00');
    await editor.page.getByRole('alert').getByText('This time is in the past.').waitFor();
    await editor.page.getByLabel('Publish on', { exact: true }).fill('2998-01-01T10:00');
    await editor.page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await panel().getByText('Publishes on 1 Jan 2998').waitFor();
    const zone = await editor.page.evaluate("new Date('2998-01-01T10:00').toISOString()");
    expect((await send('GET', '/api/articles/1/schedule')).data.publishAt).toBe(zone);
    await editor.open('articles');
    await editor.page.getByRole('row', { name: 'Ready' }).getByText('Publishes on 1 Jan 2998').waitFor();
    await editor.expectAccessible();
  });

  it('says what was refused, and why', async () => {
    await editor.open('articles/2');
    await plan('Publish on', '2998-01-01T10:00');
    await panel().getByText('Publishes on').waitFor();
    const database = await openDatabase(server.databaseUrl);
    await database.run(raw('UPDATE scheduled_publications SET due_at = 1 WHERE entry_id = 2'));
    await database.close();
    await expect
      .poll(async () => (await send('GET', '/api/articles/2/schedule')).data.refusals.length, { timeout: 10_000 })
      .toBe(1);
    await editor.open('articles/2');
    await panel().getByText('Teaser: ').waitFor();
    await editor.expectAccessible();
    await editor.open('articles');
    await editor.page.getByRole('row', { name: 'Incomplete' }).getByText('Not published as planned').waitFor();
    await editor.open('articles/2');
    await panel().getByRole('button', { name: 'Schedule…' }).click();
    await editor.page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await expect.poll(async () => (await send('GET', '/api/articles/2/schedule')).data.refusals).toEqual([]);
  });
});
