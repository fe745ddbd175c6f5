/** The server has stored a change, or has not, and its response never arrives. */
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { disconnect, isSkipped, lose, type Loss, openBrowser, type Person, signIn, sitDown } from './browser.ts';
import { grantTokens, type Kiosk, openKiosk } from './kiosk.ts';

describe.skipIf(isSkipped)('when a response is lost', () => {
  let browser: Browser;
  let kiosk: Kiosk;
  let known: Awaited<ReturnType<typeof signIn>>;
  let editor: Person;

  beforeAll(async () => {
    [browser, kiosk] = await Promise.all([openBrowser(), openKiosk()]);
    await grantTokens(kiosk);
    known = await signIn(browser, kiosk, 'editor');
  });
  beforeEach(async () => {
    editor = await sitDown(browser, kiosk, known);
  });
  afterEach(async () => {
    await editor.page.context().close();
    editor.expectNoComplaints();
  });
  afterAll(async () => {
    await browser?.close();
    await kiosk?.close();
  });

  const button = (name: string | RegExp) => editor.page.getByRole('button', { name, exact: true });
  const field = (name: string) => editor.page.getByRole('textbox', { name, exact: true });
  const text = (shown: string) => editor.page.getByText(shown, { exact: true });
  const saved = () => text('Saved');
  const conflict = () => editor.page.getByRole('dialog', { name: 'Someone else has saved changes' });
  const notSaved = () => editor.page.getByRole('alert').filter({ hasText: 'have not been saved' });
  const unknown = () => editor.page.getByRole('alert').filter({ hasText: 'It is not known' });
  const article = async (data: object): Promise<number> =>
    (await kiosk.send('POST', '/api/articles', { data })).data.id;
  const stored = async (id: number) => {
    const query = 'publicationState=preview&populate[sections][populate]=*&populate[seo]=true';
    return (await kiosk.send('GET', `/api/articles/${id}?${query}`)).data.attributes;
  };
  const named = async (path: string, attribute: string, value: string): Promise<number> =>
    (await kiosk.send('GET', `/api/${path}?filters[${attribute}]=${value}&publicationState=preview`)).data.length;
  /** The writes since the last call. */
  const writes = () => editor.requests().filter((line) => !line.startsWith('GET '));

  it.each<[Loss, string]>([
    ['connection', 'Lost by the network'],
    ['proxy', 'Lost by the proxy'],
  ])('goes on with a change that was stored (%s)', async (loss, title) => {
    const { page } = editor;
    const slug = title.toLowerCase().replaceAll(' ', '-');
    const tags = [1, 2, 3, 4];
    const sections = [{ __component: 'blocks.quote', text: 'a' }];
    const id = await article({ title: 'Before', slug, tags, sections });
    await editor.open(`articles/${id}`);
    await field('Title *').fill(title);
    await page.getByLabel('Score').fill('3.50');
    await button(/^http, 4 of 4/u).press('Home');
    await button('Remove sql').click();
    await page.getByLabel('Add to Tags').first().fill('tag 50');
    await page.getByRole('option', { name: 'tag 50', exact: true }).click();
    await page.getByRole('group', { name: 'Sections' }).getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Hero' }).click();
    await field('Heading *').fill('Hero');
    editor.requests();
    await lose(page, 'PUT', /\/articles\//u, loss);
    await button(/^Save/u).click();
    await saved().waitFor();
    await text('Unsaved changes').waitFor({ state: 'hidden' });
    expect(await stored(id)).toMatchObject({ title, rating: 3.5, sections: [{ text: 'a' }, { heading: 'Hero' }] });
    // The next save is based on the stored version, and on the ids of the new components.
    await saved().waitFor({ state: 'hidden' });
    await field('Heading *').fill('Hero again');
    await button(/^Save/u).click();
    await saved().waitFor();
    expect(writes()).toHaveLength(2);
    expect((await stored(id)).sections).toHaveLength(2);
    expect(await kiosk.titles(`articles/${id}`, 'tags')).toEqual(['http', 'koa', 'yaml', 'tag 50']);
    expect(await conflict().count()).toBe(0);
  });

  it('says that a change was not stored, which can then be saved again', async () => {
    const { page } = editor;
    const id = await article({ title: 'Never sent', slug: 'never-sent' });
    await editor.open(`articles/${id}`);
    await field('Title *').fill('Sent again');
    await lose(page, 'PUT', /\/articles\//u, 'request');
    await button(/^Save/u).click();
    await notSaved().waitFor();
    await text('Unsaved changes').waitFor();
    await editor.expectAccessible();
    await button(/^Save/u).click();
    await saved().waitFor();
    expect(await notSaved().count()).toBe(0);
    expect((await stored(id)).title).toBe('Sent again');
  });

  it('keeps changes until their outcome is known, also when the page is reloaded', async () => {
    const { page } = editor;
    const id = await article({ title: 'Offline', slug: 'offline', tags: [1, 2], teaser: 'x' });
    await editor.open(`articles/${id}`);
    await field('Title *').fill('Online again');
    await button(/^sql, 2 of 2/u).press('Home');
    await lose(page, 'PUT', /\/articles\//u);
    let reconnect = await disconnect(page, /\/articles\//u);
    await button(/^Save/u).click();
    await unknown().waitFor();
    await editor.expectAccessible();
    await button('Check now').click();
    await text('Saving…').waitFor({ state: 'hidden' });
    await unknown().waitFor();
    await reconnect();
    editor.requests();
    await button('Check now').click();
    await saved().waitFor();
    expect(writes()).toEqual([]);
    expect(await unknown().count()).toBe(0);

    await field('Teaser').fill('kept');
    await button(/^koa, 2 of 2/u).press('Home');
    await lose(page, 'PUT', /\/articles\//u);
    reconnect = await disconnect(page, /\/articles\//u);
    await button(/^Save/u).click();
    await unknown().waitFor();
    await field('Title *').fill('Typed since');
    await text('Unsaved changes').waitFor();
    page.on('dialog', (dialog) => void dialog.accept());
    await reconnect();
    await page.reload();
    // What was stored before is not unsaved any more, and no one else's.
    await page.getByText('Your unsaved changes have been restored.', { exact: true }).waitFor();
    expect(await field('Title *').inputValue()).toBe('Typed since');
    expect(await stored(id)).toMatchObject({ title: 'Online again', teaser: 'kept' });
    expect(await kiosk.titles(`articles/${id}`, 'tags')).toEqual(['koa', 'sql']);
  });

  it('shows what someone else has saved, and only that', async () => {
    const { page } = editor;
    const id = await article({ title: 'Shared', slug: 'shared' });
    await editor.open(`articles/${id}`);
    await field('Title *').fill('Mine');
    await lose(page, 'PUT', /\/articles\//u, 'request');
    await kiosk.send('PUT', `/api/articles/${id}`, { data: { title: 'Theirs' } });
    await button(/^Save/u).click();
    await conflict().getByRole('cell', { name: 'Theirs' }).waitFor();
    await conflict().getByRole('button', { name: 'Overwrite with mine' }).click();
    await saved().waitFor();
    expect((await stored(id)).title).toBe('Mine');
  });

  it('recognizes a change that arrives late, and keeps what was changed since', async () => {
    const { page } = editor;
    const id = await article({ title: 'Late', slug: 'late' });
    await editor.open(`articles/${id}`);
    await field('Title *').fill('Late, but here');
    await lose(page, 'PUT', /\/articles\//u, 'request');
    await button(/^Save/u).click();
    await notSaved().waitFor();
    // The server handles the first request only now.
    await kiosk.send('PUT', `/api/articles/${id}`, { data: { title: 'Late, but here' } });
    await field('Teaser').fill('since');
    await button(/^Save/u).click();
    await page.getByText('Your previous save was stored after all.').waitFor();
    expect(await stored(id)).toMatchObject({ title: 'Late, but here', teaser: null });
    await text('Unsaved changes').waitFor();
    await button(/^Save/u).click();
    await saved().waitFor();
    expect(await stored(id)).toMatchObject({ title: 'Late, but here', teaser: 'since' });
  });

  it('recognizes what was published, and values that can not be read', async () => {
    const { page } = editor;
    const id = await article({ title: 'Draft', slug: 'draft-to-publish', publishedAt: null, rating: 1 });
    await editor.open(`articles/${id}`);
    await page.getByLabel('Score').fill('2');
    editor.requests();
    await lose(page, 'PUT', /\/articles\//u);
    await button('Publish').click();
    await button('Unpublish').waitFor();
    await lose(page, 'PUT', /\/articles\//u, 'database');
    await button('Unpublish').click();
    await button('Publish').waitFor();
    expect(writes()).toHaveLength(2);

    await editor.open('values/1');
    const password = page.getByLabel('Password');
    await password.fill('a new password');
    await field('Email').fill('Mixed@Example.org');
    await field('Decimal').fill('1.50');
    await page.getByLabel('Time', { exact: true }).fill('08:30');
    await lose(page, 'PUT', /\/values\//u);
    await button(/^Save/u).click();
    await saved().waitFor();
    await saved().waitFor({ state: 'hidden' });
    await password.fill('another password');
    await lose(page, 'PUT', /\/values\//u, 'request');
    await kiosk.send('PUT', '/api/values/1', { data: { text: 'by someone else' } });
    await button(/^Save/u).click();
    await conflict().waitFor();
  });

  it('creates one entry, also of a type with drafts, in another locale, and of users', async () => {
    const { page } = editor;
    const create = async (path: string) => {
      editor.requests();
      await lose(page, 'POST', new RegExp(`/${path}$`, 'u'));
      await page.getByRole('button', { name: /^Save/u }).click();
      await page.waitForURL(/\/\d+$/u);
      expect(writes()).toHaveLength(1);
      // The form has nothing more to save.
      await page.waitForLoadState('networkidle');
      expect(await text('Unsaved changes').count()).toBe(0);
    };
    await editor.open('tags/create');
    await field('Name *').fill('created once');
    await create('tags');
    expect(await named('tags', 'name', 'created once')).toBe(1);

    await editor.open('articles/create');
    await field('Title *').fill('Draft of one');
    await field('Slug *').fill('draft-of-one');
    await page.getByLabel('Add to Tags').first().fill('tag 60');
    await page.getByRole('option', { name: 'tag 60', exact: true }).click();
    await button('Add SEO').click();
    await field('Meta title *').fill('meta');
    await create('articles');
    expect(await stored(Number(page.url().split('/').at(-1)))).toMatchObject({ seo: { metaTitle: 'meta' } });

    await editor.open(`articles/create?locale=fr&from=${page.url().split('/').at(-1)}`);
    await field('Title *').fill('Brouillon');
    await field('Slug *').fill('brouillon');
    await create('localizations');
    expect(await field('Title *').inputValue()).toBe('Brouillon');

    await editor.open('users/create');
    await field('Username *').fill('Alone');
    await field('Email *').fill('Alone@Example.org');
    await page.getByLabel('Password').fill('correct horse battery');
    await create('users');
    expect((await kiosk.send('GET', '/api/users?filters[username]=Alone')).length).toBe(1);
  });

  it('says that nothing was created, which can then be saved again', async () => {
    const { page } = editor;
    await editor.open('articles/create');
    await field('Title *').fill('Tried again');
    await field('Slug *').fill('tried-again');
    await lose(page, 'POST', /\/articles$/u, 'request');
    await article({ title: 'Another one', slug: 'by-someone-else' });
    await button('Save draft').click();
    await notSaved().waitFor();
    await button('Save draft').click();
    await page.waitForURL(/articles\/\d+$/u);
    expect(await named('articles', 'title', 'Tried again')).toBe(1);
  });

  it('creates nothing twice after a reload', async () => {
    const { page } = editor;
    page.on('dialog', (dialog) => void dialog.accept());
    await editor.open('articles/create');
    await field('Title *').fill('Reloaded');
    await field('Slug *').fill('reloaded');
    await text('Unsaved changes').waitFor();
    await lose(page, 'POST', /\/articles$/u);
    const reconnect = await disconnect(page, /\/articles/u);
    await button('Save draft').click();
    await unknown().waitFor();
    await reconnect();
    await page.reload();
    await page.getByText('Your unsaved changes have been restored.').waitFor();
    editor.requests();
    await field('Teaser').fill('typed after the reload');
    await button('Save draft').click();
    await page.waitForURL(/articles\/\d+$/u);
    await text('Unsaved changes').waitFor();
    expect(writes()).toEqual([]);
    expect(await field('Teaser').inputValue()).toBe('typed after the reload');
    expect(await named('articles', 'title', 'Reloaded')).toBe(1);
  });

  it('asks to look in the list where it is not certain', async () => {
    const { page } = editor;
    await editor.open('tags/create');
    await field('Name *').fill('not certain');
    await lose(page, 'POST', /\/tags$/u, 'request');
    await kiosk.send('POST', '/api/tags', { data: { name: 'by someone else' } });
    await button(/^Save/u).click();
    const alert = page.getByRole('alert').filter({ hasText: 'it is not certain' });
    await alert.waitFor();
    await editor.expectAccessible();
    const [list] = await Promise.all([
      page.context().waitForEvent('page'),
      alert.getByRole('link', { name: 'Open the list' }).click(),
    ]);
    await list.locator('tbody tr').first().getByText('by someone else').waitFor();
    await list.close();
    await button(/^Save/u).click();
    await page.waitForURL(/tags\/\d+$/u);
    expect(await named('tags', 'name', 'not certain')).toBe(1);
  });

  it('deletes, and says of other changes that they may have been made', async () => {
    const { page } = editor;
    const lost = (name: string) => page.getByText(`${name}No response from the server.`);
    const id = await article({ title: 'To delete', slug: 'to-delete' });
    await editor.open(`articles/${id}`);
    await lose(page, 'DELETE', /\/articles\//u);
    await button('Delete').click();
    await button('Confirm').click();
    await page.waitForURL(/articles$/u);
    await text('Element deleted').waitFor();

    await kiosk.send('PUT', '/api/articles/2', { data: { publishedAt: null } });
    await editor.open('articles?filter={"slug":{"$eq":"second-story"}}');
    await page.getByRole('checkbox', { name: 'Select this row' }).check();
    await lose(page, 'POST', /\/_batch$/u);
    await button('Publish').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText('No response from the server.').waitFor();

    await editor.open('tokens');
    await page.getByLabel('Name').fill('nobody knows');
    await lose(page, 'POST', /\/tokens$/u);
    await page.getByRole('combobox', { name: 'Type' }).click();
    await page.getByRole('option', { name: 'custom' }).click();
    await button('Create').click();
    await page.getByRole('alert').filter({ hasText: 'its secret is lost' }).waitFor();
    await text('nobody knows').waitFor();
    await editor.expectAccessible();

    await editor.open('media');
    await lose(page, 'POST', /\/upload$/u);
    const file = { name: 'twice.txt', mimeType: 'text/plain', buffer: Buffer.from('twice') };
    await page.locator('input[type=file]').setInputFiles(file);
    await lost('twice.txt: ').waitFor();
    await button(/twice/u).waitFor();
  });
});
