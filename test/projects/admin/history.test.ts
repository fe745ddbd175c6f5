/** The history of an entry beside its form: who has changed it, what has changed since a version, and its restoration. */
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { addAccount, fullAccess, type Send } from '../../support/full-access.ts';
import { type ServedProject, serveProject } from '../../support/served-project.ts';
import { isSkipped, openBrowser, type Person, signIn, sitDown } from './browser.ts';

const SCHEMA = `name: archive
databases: [sqlite]
contentTypes:
  article:
    draftAndPublish: true
    history: true
    attributes:
      title: { type: string, required: true }
      tags: { type: relation, relation: manyToMany, target: tag, inversedBy: articles }
  tag:
    attributes:
      name: { type: string }
      articles: { type: relation, relation: manyToMany, target: article, mappedBy: tags }
permissions:
  editor: { '*': '*', admin: [access] }
`;

describe.skipIf(isSkipped)('histories', () => {
  let browser: Browser;
  let server: ServedProject;
  let send: Send;
  let editor: Person;

  beforeAll(async () => {
    [browser, server] = await Promise.all([openBrowser(), serveProject(SCHEMA)]);
    send = await fullAccess(server);
    await addAccount(send, 'editor');
    for (const name of ['one', 'two']) await send('POST', '/api/tags', { data: { name } });
    await send('POST', '/api/articles', { data: { title: 'First', tags: [1, 2], publishedAt: null } });
    await send('PUT', '/api/articles/1?status=draft', { data: { title: 'Second', tags: [2, 1] } });
    editor = await sitDown(browser, server, await signIn(browser, server, 'editor'));
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });
  afterEach(() => editor.expectNoComplaints());

  it('shows what has changed since a version, and restores it', async () => {
    const { page } = editor;
    await editor.open('articles/1');
    await page.getByRole('button', { name: 'History' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Created' }).click();
    await dialog.getByText('First').waitFor();
    await dialog.getByText('Moved: ').waitFor();
    await editor.expectAccessible();
    await dialog.getByRole('button', { name: 'Restore this version' }).click();
    await page.getByText('The version has been restored').waitFor();
    expect(await page.getByLabel('Title').inputValue()).toBe('First');
    const { data } = await send('GET', '/api/articles/1?publicationState=preview&populate=tags');
    expect(data.attributes.tags.data.map(({ id }: { readonly id: number }) => id)).toEqual([1, 2]);
    await page.getByRole('button', { name: 'History' }).click();
    await dialog.getByRole('button', { name: 'Restored' }).getByText('editor').waitFor();
  });
});
