/** The trash in the panel: what was deleted is restored from the list of its type, or says why it can't be. */
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { addAccount, fullAccess, type Send } from '../../support/full-access.ts';
import { type ServedProject, serveProject } from '../../support/served-project.ts';
import { isSkipped, openBrowser, type Person, signIn, sitDown } from './browser.ts';

const SCHEMA = `name: attic
databases: [sqlite]
contentTypes:
  article:
    draftAndPublish: true
    trash: 30d
    attributes:
      title: { type: string, required: true }
      slug: { type: string, unique: true }
  tag: { attributes: { name: { type: string } } }
permissions:
  editor: { '*': '*', admin: [access] }
`;

describe.skipIf(isSkipped)('the trash', () => {
  let browser: Browser;
  let server: ServedProject;
  let send: Send;
  let editor: Person;

  beforeAll(async () => {
    [browser, server] = await Promise.all([openBrowser(), serveProject(SCHEMA)]);
    send = await fullAccess(server);
    await addAccount(send, 'editor');
    for (const title of ['One', 'Two']) await send('POST', '/api/articles', { data: { title, slug: title } });
    editor = await sitDown(browser, server, await signIn(browser, server, 'editor'));
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });
  afterEach(() => editor.expectNoComplaints());

  it('restores what was deleted, and names what keeps it from that', async () => {
    const { page } = editor;
    await editor.open('articles/1');
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('row', { name: 'Two' }).waitFor();
    expect(await page.getByRole('row', { name: 'One' }).count()).toBe(0);
    await send('PUT', '/api/articles/2', { data: { slug: 'One' } });
    await page.getByRole('button', { name: 'Trash' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('for 30 days').waitFor();
    await dialog.getByRole('button', { name: 'Restore One' }).click();
    await page.getByText('Slug: ').waitFor();
    await send('PUT', '/api/articles/2', { data: { slug: 'Two' } });
    await editor.open('articles');
    await page.getByRole('button', { name: 'Trash' }).click();
    await dialog.getByRole('button', { name: 'Restore One' }).waitFor();
    const opacity = () => page.evaluate("getComputedStyle(document.querySelector('.MuiDialog-container')).opacity");
    await expect.poll(opacity).toBe('1');
    await editor.expectAccessible();
    await dialog.getByRole('button', { name: 'Restore One' }).click();
    await page.getByText('The entry has been restored').waitFor();
    await dialog.getByText('Nothing has been deleted.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('row', { name: 'One' }).waitFor();
    const { data } = await send('GET', '/api/articles/1');
    expect(data.attributes.title).toBe('One');
    await editor.open('tags');
    await page.getByRole('heading').first().waitFor();
    expect(await page.getByRole('button', { name: 'Trash' }).count()).toBe(0);
  });
});
