/** What fails while editors work: their session ends, requests are refused, storage is disabled. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { clickTwice, hold, isSkipped, openBrowser, type Person, signIn, sitDown } from './browser.ts';
import { grantTokens, type Kiosk, openKiosk, PASSWORD } from './kiosk.ts';

describe.skipIf(isSkipped)('when something fails', () => {
  let browser: Browser;
  let kiosk: Kiosk;
  let known: Awaited<ReturnType<typeof signIn>>;
  let editor: Person;

  beforeAll(async () => {
    [browser, kiosk] = await Promise.all([openBrowser(), openKiosk()]);
    await grantTokens(kiosk);
    await kiosk.addToken('listed token');
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

  const button = (name: string | RegExp, page = editor.page) => page.getByRole('button', { name, exact: true });
  const field = (name: string) => editor.page.getByRole('textbox', { name, exact: true });
  const saved = () => editor.page.getByText('Saved', { exact: true });
  const other = () => editor.page.getByRole('dialog', { name: 'Signed in as another user' });
  const teaser = async () =>
    (await kiosk.send('GET', '/api/articles/1?publicationState=preview')).data.attributes.teaser;
  const fillSignIn = async (page: Page, name: string | undefined) => {
    if (name !== undefined) await page.getByLabel('Email or username').fill(name);
    await page.getByLabel('Password').fill(PASSWORD);
    await button('Sign in', page).click();
  };
  /** Changes the first article, and tries to save it after the session has ended. */
  const saveWithoutSession = async (text: string) => {
    await editor.open('articles/1');
    await field('Teaser').fill(text);
    await editor.page.context().clearCookies();
    await button('Save draft').click();
  };

  it('saves nothing under the name of another user, but under that of the first once they are back', async () => {
    const { page } = editor;
    await saveWithoutSession('by the editor');
    await fillSignIn(page, 'reader');
    await other().waitFor();
    await editor.expectAccessible();
    editor.requests();
    await button('Sign in as editor').click();
    await fillSignIn(page, undefined);
    await saved().waitFor();
    await page.waitForLoadState('networkidle');
    expect(editor.requests().map((line) => line.split(' {')[0])).toEqual([
      'POST /api/admin/session',
      expect.stringMatching(/^PUT \/api\/articles\/1/u),
      // Whether the draft differs from what is published.
      'GET /api/articles/1?fields[0]=updatedAt&publicationState=live',
    ]);
    expect(await teaser()).toBe('by the editor');
  });

  it('reloads for another user, and keeps the changes of the first in the tab', async () => {
    const { page } = editor;
    await saveWithoutSession('kept for the editor');
    await fillSignIn(page, 'reader');
    await button('Continue as reader').click();
    await page.getByText('You can view this entry, but not edit it.').waitFor();
    expect(await field('Teaser').inputValue()).not.toBe('kept for the editor');
    await button('reader').click();
    await page.getByRole('menuitem', { name: 'Logout' }).click();
    await fillSignIn(page, 'editor');
    await page.getByText('Your unsaved changes have been restored.').waitFor();
    expect(await field('Teaser').inputValue()).toBe('kept for the editor');
    expect(await teaser()).not.toBe('kept for the editor');
  });

  it('says so where another user has signed in in another tab', async () => {
    const { page } = editor;
    await editor.open('articles/1');
    await field('Teaser').fill('in the first tab');
    await page.context().clearCookies();
    const tab = await page.context().newPage();
    await tab.goto(`${kiosk.origin}/admin/`);
    await fillSignIn(tab, 'reader');
    await other().waitFor();
    expect(await page.locator('[name=teaser]').inputValue()).toBe('in the first tab');
  });

  it('asks before it signs out with unsaved changes', async () => {
    const { page } = editor;
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.message());
      void dialog.dismiss();
    });
    await editor.open('articles/1');
    await field('Teaser').fill('not to be lost');
    await button('editor').click();
    await page.getByRole('menuitem', { name: 'Logout' }).click();
    await expect.poll(() => asked).toHaveLength(1);
    expect(await page.locator('[name=teaser]').inputValue()).toBe('not to be lost');
  });

  it('uploads a file after the session has ended, once the user is back', async () => {
    const { page } = editor;
    await editor.open('media');
    await page.context().clearCookies();
    const buffer = Buffer.alloc(4_000_000, 'x');
    await page.locator('input[type=file]').setInputFiles({ name: 'late.txt', mimeType: 'text/plain', buffer });
    await fillSignIn(page, undefined);
    await button(/late/u).waitFor();
  });

  it('keeps the progress and the errors of uploads when others are added', async () => {
    const { page } = editor;
    const file = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(name) });
    const input = page.locator('input[type=file]');
    await editor.open('media');
    const post = await hold(page, 'POST', /\/upload$/u);
    await input.setInputFiles([file('first.txt')]);
    await post.first;
    await input.setInputFiles([file('second.txt'), file('third.txt')]);
    for (const name of ['first.txt', 'second.txt', 'third.txt']) {
      await page.getByRole('progressbar', { name }).waitFor();
    }
    await post.letGo(true);
    await button(/third/u).waitFor();
    await button(/second/u).waitFor();
    const alert = page.getByRole('alert').filter({ hasText: 'first.txt: No response from the server' });
    await alert.waitFor();
    await alert.getByRole('button', { name: 'Close' }).click();
    await alert.waitFor({ state: 'hidden' });
  });

  it('creates one role and one token for a double click', async () => {
    const { page } = editor;
    await editor.open('roles/create');
    await page.getByLabel('Name').fill('proofreader');
    let post = await hold(page, 'POST', /\/roles$/u);
    await clickTwice(page, 'Save');
    await post.first;
    await post.letGo();
    await page.getByRole('link', { name: 'proofreader' }).waitFor();
    expect(post.bodies).toHaveLength(1);
    await editor.open('tokens');
    await page.getByLabel('Name').fill('one token');
    await page.getByRole('combobox', { name: 'Type' }).click();
    await page.getByRole('option', { name: 'custom' }).click();
    post = await hold(page, 'POST', /\/tokens$/u);
    await clickTwice(page, 'Create');
    await post.first;
    await post.letGo();
    await page.locator('code').waitFor();
    expect(post.bodies).toHaveLength(1);
  });

  it.each([
    ['roles', '**/api/users-permissions/roles', 'Authenticated'],
    ['tokens', '**/api/users-permissions/tokens', 'listed token'],
    ['media', '**/api/upload/files?*', 'listed.txt'],
    ['articles/1', '**/api/articles/1?*', 'id: 1'],
  ])('shows why %s could not be read, and reads it again', async (path, url, text) => {
    const { page } = editor;
    if (path === 'media') {
      await editor.open('media');
      const file = { name: 'listed.txt', mimeType: 'text/plain', buffer: Buffer.from('x') };
      await page.locator('input[type=file]').setInputFiles(file);
      await button(/listed/u).waitFor();
    }
    await page.route(url, (route) =>
      route.fulfill({ status: 500, json: { data: null, error: { status: 500, message: 'Out of order' } } }),
    );
    await editor.open(path);
    const alert = page.getByRole('alert').filter({ hasText: 'The server has failed.' });
    await alert.waitFor();
    await page.unroute(url);
    await alert.getByRole('button', { name: 'Try again' }).click();
    await page.getByText(text, { exact: true }).filter({ visible: true }).first().waitFor();
    await alert.waitFor({ state: 'hidden' });
  });

  it('edits entries where the storage of the browser is disabled', async () => {
    const { page } = editor;
    await page.addInitScript(`Object.defineProperty(window, 'sessionStorage', {
      get() { throw new DOMException('Access is denied', 'SecurityError'); },
    })`);
    await editor.open('articles/1');
    await field('Teaser').fill('without storage');
    await page.getByText('Unsaved changes', { exact: true }).waitFor();
    await button('Save draft').click();
    await saved().waitFor();
    expect(await teaser()).toBe('without storage');
    await page.getByRole('navigation').getByText('Tag').click();
    await page.getByRole('table').waitFor();
  });
});
