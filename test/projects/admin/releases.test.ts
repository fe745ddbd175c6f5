/** Releases in the panel: made from forms, checked, published and reverted, with what refuses them at the entries. */
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { addAccount, fullAccess, type Send } from '../../support/full-access.ts';
import { type ServedProject, serveProject } from '../../support/served-project.ts';
import { isSkipped, openBrowser, type Person, signIn, sitDown } from './browser.ts';

const SCHEMA = `name: press
databases: [sqlite]
schedules: true
contentTypes:
  article:
    draftAndPublish: true
    attributes:
      title: { type: string, required: true }
      teaser: { type: string, required: true }
permissions:
  editor: { '*': '*', admin: [access], releases: '*' }
`;

describe.skipIf(isSkipped)('releases', () => {
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

  const button = (name: string) => editor.page.getByRole('button', { name, exact: true });
  const confirm = (name: string) => editor.page.getByRole('dialog').getByRole('button', { name, exact: true });
  const shown = async () => (await send('GET', '/api/articles')).data.map(({ attributes }: any) => attributes.title);

  it('is made from the forms of entries', async () => {
    const { page } = editor;
    await editor.open('articles/1');
    await button('Add to release…').click();
    await page.getByLabel('Name of the release').fill('Spring');
    await confirm('Add').click();
    await page.getByText('The entry has been added to the release').waitFor();
    await editor.open('articles/2');
    await button('Add to release…').click();
    await page.getByRole('combobox', { name: 'Release' }).getByText('Spring').waitFor();
    await confirm('Add').click();
    await page.getByText('The entry has been added to the release').waitFor();
    await editor.open('releases');
    await page.getByRole('row', { name: 'Spring' }).getByText('2', { exact: true }).waitFor();
    await editor.expectAccessible();
  });

  it('names what refuses it, at the entry, and is published and reverted as a whole', async () => {
    const { page } = editor;
    await page.getByRole('link', { name: 'Spring' }).click();
    await page.getByRole('link', { name: 'Incomplete' }).waitFor();
    await button('Check').click();
    await page.getByRole('alert').getByText('Teaser: ').waitFor();
    await editor.expectAccessible();
    await button('Publish').click();
    await confirm('Publish').click();
    await page.getByText('Nothing was done: some entries refuse it.').waitFor();
    expect(await shown()).toEqual([]);
    await button('Remove Incomplete').click();
    await page.getByText('The release has been saved').waitFor();
    await button('Publish').click();
    await confirm('Publish').click();
    await page.getByText('The release has been published').waitFor();
    expect(await shown()).toEqual(['Ready']);
    await button('Revert').click();
    await confirm('Revert').click();
    await page.getByText('The release has been reverted').waitFor();
    expect(await shown()).toEqual([]);
  });

  it('gets a time, in the time zone of the person', async () => {
    const { page } = editor;
    await editor.open('releases');
    await page.getByLabel('Name of the release').fill('Later');
    await button('Create release').click();
    await page.getByLabel('Publish on').fill('2998-01-01T10:00');
    await button('Save').click();
    await page.getByText('Publishes on 1 Jan 2998').waitFor();
    const zone = await page.evaluate("new Date('2998-01-01T10:00').toISOString()");
    expect((await send('GET', '/api/releases')).data[0].at).toBe(zone);
    await button('Delete').click();
    await confirm('Delete').click();
    await page.getByRole('row', { name: 'Spring' }).waitFor();
    expect((await send('GET', '/api/releases')).data).toHaveLength(1);
  });
});
