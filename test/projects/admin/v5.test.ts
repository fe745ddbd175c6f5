/** The admin page on a server of the format v5, to whose other clients entries are v5. */
import { execa } from 'execa';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runClientLine } from '../../support/client-line.ts';
import { addAccount, addToken, fullAccess, type Send } from '../../support/full-access.ts';
import { type ServedProject, serveProject } from '../../support/served-project.ts';
import { isSkipped, openBrowser, type Person, signIn, sitDown } from './browser.ts';

const SCHEMA = `name: v5page
databases: [sqlite]
locales: [en, fr]
api: { format: v5 }
admin: { previewUrl: 'https://preview.example/{documentId}?locale={locale}' }
contentTypes:
  story:
    draftAndPublish: true
    localized: true
    attributes:
      title: { type: string, required: true }
      cover: { type: media }
      tags: { type: relation, relation: manyToMany, target: tag }
      parts: { type: dynamiczone, components: [part.text] }
  tag:
    attributes: { name: { type: string, required: true } }
components:
  part.text:
    attributes: { text: { type: text, required: true }, about: { type: relation, relation: manyWay, target: tag } }
permissions:
  editor: { '*': '*', upload: '*', users: '*', roles: '*', locales: '*', admin: [access] }
`;

describe.skipIf(isSkipped)('the admin page on a server of the format v5', () => {
  let browser: Browser;
  let server: ServedProject;
  let send: Send;
  let editor: Person;

  beforeAll(async () => {
    [browser, server] = await Promise.all([openBrowser(), serveProject(SCHEMA)]);
    send = await fullAccess(server);
    await addAccount(send, 'editor');
    for (const name of ['koa', 'sql', 'yaml']) await send('POST', '/api/tags', { data: { name } });
    editor = await sitDown(browser, server, await signIn(browser, server, 'editor'));
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  const save = async (name: string) => {
    await editor.page.getByRole('button', { name, exact: true }).click();
    await editor.page.getByText('Saved', { exact: true }).waitFor();
  };
  const draft = async (locale: string) => {
    const populate = 'populate[tags][fields]=name&populate[cover]=true&populate[parts][populate]=*';
    const { data } = await send('GET', `/api/stories?status=draft&locale=${locale}&${populate}`);
    return data[0];
  };

  it('makes an entry with relations, a zone and a file, and publishes it', async () => {
    const { page } = editor;
    await editor.open('stories/create');
    await page.getByRole('textbox', { name: 'Title *' }).fill('Once');
    for (const name of ['koa', 'sql']) {
      await page.getByLabel('Add to Tags').fill(name);
      await page.getByRole('option', { name }).click();
    }
    await page.getByRole('group', { name: 'Parts' }).getByRole('button', { name: 'Add' }).click();
    await page.getByRole('menuitem', { name: 'Text' }).click();
    await page.getByRole('textbox', { name: 'Text *' }).fill('upon a time');
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.waitForURL(/stories\/\d+$/u);
    const made = await draft('en');
    expect(made).toMatchObject({
      title: 'Once',
      publishedAt: null,
      tags: [{ name: 'koa' }, { name: 'sql' }],
      parts: [{ __component: 'part.text', text: 'upon a time' }],
    });
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('button', { name: 'Unpublish' }).waitFor();
    const { data } = await send('GET', `/api/stories/${made.documentId}`);
    expect(data.publishedAt).not.toBeNull();
    await page.getByText(`documentId: ${made.documentId}`).waitFor();
    const preview = page.getByRole('link', { name: 'Open the preview in a new tab' });
    expect(await preview.getAttribute('href')).toBe(`https://preview.example/${made.documentId}?locale=en`);
    editor.expectNoComplaints();
  });

  it('is answered in v4, unless it asks for v5, by a server that answers everybody else in v5', async () => {
    const { page } = editor;
    const ask = async (headers: Readonly<Record<string, string>>) =>
      await (await page.request.get(`${server.origin}/api/tags`, { headers })).json();
    const own = { 'x-admin-session': '1' };
    expect((await ask(own)).data[0].attributes).toMatchObject({ name: 'koa' });
    expect((await ask({ ...own, 'strapi-response-format': 'v5' })).data[0]).toMatchObject({ name: 'koa' });
    const token = await addToken(server, { kind: 'read-only' });
    expect((await ask({ ...own, authorization: `Bearer ${token}` })).data[0]).toMatchObject({ name: 'koa' });
  });

  it('lists it, sorts its relations, and gives it a file', async () => {
    const { page } = editor;
    const file = { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('north') };
    await editor.open('media');
    await page.locator('input[type=file]').first().setInputFiles(file);
    await page.getByRole('button', { name: 'note.txt' }).waitFor();
    await editor.open('stories?filter={"title":{"$containsi":"onc"}}');
    await page.getByRole('cell', { name: 'Once' }).click();
    await page.getByRole('button', { name: /^sql, 2 of 2/u }).press('Home');
    await page.getByRole('group', { name: 'Cover' }).getByRole('button').first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'note.txt' }).click();
    await dialog.getByRole('button', { name: /^Add /u }).click();
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText('Published', { exact: true }).first().waitFor();
    const { data } = await send('GET', '/api/stories?populate=*');
    expect(data).toMatchObject([{ cover: { name: 'note.txt' }, tags: [{ name: 'sql' }, { name: 'koa' }] }]);
    editor.expectNoComplaints();
  });

  it('adds a locale to it, and deletes it again', async () => {
    const { page } = editor;
    const saveDraft = page.getByRole('button', { name: 'Save draft' });
    await page.getByRole('link', { name: 'French' }).click();
    const title = page.getByRole('textbox', { name: 'Title *' });
    // The screen of the published entry, which has a title as well, stays until the next one is there.
    await expect.poll(() => title.inputValue()).toBe('');
    await title.fill('Il y avait une fois');
    await saveDraft.click();
    await page.waitForURL(/stories\/\d+$/u);
    const [english, french] = [(await send('GET', '/api/stories')).data[0], await draft('fr')];
    expect(french).toMatchObject({ documentId: english.documentId, title: 'Il y avait une fois' });
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.waitForURL(/stories(?:\?.*)?$/u);
    expect(await draft('fr')).toBeUndefined();
    editor.expectNoComplaints();
  });

  describe('shows its requests', () => {
    let token: string;
    let documentId: string;

    beforeAll(async () => {
      token = await addToken(server, { kind: 'full-access' });
      documentId = (await draft('en')).documentId;
      await editor.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    });

    /** Copies the latest request that contains a text. */
    const copied = async (text: string | RegExp, language = 'curl'): Promise<string> => {
      const { page } = editor;
      await page.getByRole('button', { name: 'Show requests' }).click();
      await page.getByRole('button', { name: language }).click();
      await editor.expectAccessible();
      await page.getByRole('listitem').filter({ hasText: text }).getByRole('button', { name: 'Copy' }).first().click();
      await page.getByText('Copied', { exact: true }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      return await page.evaluate('navigator.clipboard.readText()');
    };
    const run = async (command: string) =>
      JSON.parse((await execa('bash', ['-c', command], { env: { TOKEN: token } })).stdout);

    it('as clients of the format v5 send them', async () => {
      const { page } = editor;
      await editor.open('stories?filter={"title":{"$containsi":"onc"}}');
      expect(await run(await copied('filters[title]'))).toMatchObject({ data: [{ documentId, title: 'Once' }] });
      await page.getByRole('cell', { name: 'Once' }).click();
      await page.getByRole('button', { name: /^koa, 2 of 2/u }).press('Home');
      await save('Save draft');
      const change = await copied('-X PUT');
      expect(change).toContain(`/api/stories/${documentId}?`);
      expect(await run(change)).toMatchObject({ error: { name: 'PreconditionFailedError' } });
      await send('PUT', `/api/stories/${documentId}`, { data: { title: 'Other', tags: [2, 1] } });
      const { data } = await run(change.replace(/If-Match: [^']+/u, 'If-Match: *'));
      expect(data).toMatchObject({ documentId, title: 'Other', tags: [{ name: 'koa' }, { name: 'sql' }] });

      // Not the read of the published version's time.
      const line = await copied(
        new RegExp(`api\\.stories\\.findOne\\('${documentId}'.*populate`, 'su'),
        'Typed client',
      );
      const read = await runClientLine(server, token, line);
      expect(read).toMatchObject({ data: { documentId, title: 'Other', locale: 'en' } });
      editor.expectNoComplaints();
    });

    it('and says which of them these clients can not send', async () => {
      const { page } = editor;
      await editor.open('stories?filter={}');
      await page.getByRole('cell', { name: 'Other' }).click();
      await page.getByRole('textbox', { name: 'Title *' }).fill('Changed, too');
      await page.getByRole('button', { name: 'Unpublish' }).click();
      await page.getByRole('button', { name: 'Publish', exact: true }).waitFor();
      expect(await copied('unpublishes')).toMatch(
        /^# stories\/\d+: the v5 format has no request that unpublishes an entry$/u,
      );
    });

    it('with a placeholder for an entry that is no longer there', async () => {
      const { page } = editor;
      const { id } = (await send('POST', '/api/tags', { data: { name: 'gone' } })).data;
      await editor.open('tags');
      await page.getByRole('row', { name: /gone/u }).getByRole('checkbox').check();
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('cell', { name: 'gone' }).waitFor({ state: 'detached' });
      expect(await copied('-X DELETE')).toContain(`/api/tags/DOCUMENT_ID_OF_TAG_${id}'`);
    });
  });
});
