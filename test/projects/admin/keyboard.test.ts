/** The jobs of an editor by keyboard alone: whatever is pressed was reached with Tab, and no mouse is there. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isSkipped, openBrowser, type Person, signIn, sitDown } from './browser.ts';
import { type Keys, keysOf } from './keys.ts';
import { type Kiosk, openKiosk, PASSWORD } from './kiosk.ts';

describe.skipIf(isSkipped)('by keyboard alone, an editor', () => {
  let browser: Browser;
  let kiosk: Kiosk;
  let editor: Person;
  let keys: Keys;

  beforeAll(async () => {
    [browser, kiosk] = await Promise.all([openBrowser(), openKiosk()]);
    editor = await sitDown(browser, kiosk, await signIn(browser, kiosk, 'editor'));
    keys = keysOf(editor.page);
  });
  afterAll(async () => {
    await browser?.close();
    await kiosk?.close();
  });

  const stored = async (path: string) =>
    (await kiosk.send('GET', `/api/${path}?publicationState=preview&populate=*`)).data.attributes;

  it('signs in, finds an entry, opens it and goes back', async () => {
    const context = await browser.newContext({ locale: 'en-GB' });
    const page = await context.newPage();
    await page.goto(`${kiosk.origin}/admin/`);
    await keysOf(page).reach(page.getByLabel('Email or username'));
    await page.keyboard.type('editor');
    await keysOf(page).reach(page.getByLabel('Password'));
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('banner').waitFor();
    await context.close();

    await editor.open('articles');
    await keys.reach(editor.page.getByPlaceholder('Search'));
    await editor.page.keyboard.type('Second');
    await editor.page.getByRole('link', { name: 'First story' }).waitFor({ state: 'detached' });
    await keys.reach(editor.page.getByRole('link', { name: 'Second story' }));
    await editor.page.keyboard.press('Enter');
    await editor.page.waitForURL(/articles\/2$/u);
    // The palette leads back to the list, which is as it was.
    await editor.page.keyboard.press('Control+k');
    await editor.page.getByRole('option', { name: 'Article', exact: true }).waitFor();
    await editor.page.keyboard.type('article');
    await expect.poll(() => editor.page.getByRole('option').first().textContent()).toContain('Article');
    await editor.page.keyboard.press('Enter');
    await editor.page.getByRole('link', { name: 'Second story' }).waitFor();
    await editor.page.waitForLoadState('networkidle');
    expect(await editor.page.getByRole('link', { name: 'First story' }).count()).toBe(0);
    // So does an address without parameters, with the locale that was chosen since.
    await editor.open('articles');
    await expect.poll(() => editor.page.getByPlaceholder('Search').inputValue()).toBe('Second');
    expect(Object.fromEntries(new URL(editor.page.url()).searchParams)).toMatchObject({
      filter: '{"q":"Second"}',
      locale: 'en',
    });
  });

  it('writes, relates, saves, publishes and unpublishes an article', async () => {
    const { page } = editor;
    await editor.open('articles/create');
    await keys.type('Title *', 'Typed');
    await keys.reach(page.getByRole('textbox', { name: 'Story' }));
    await page.keyboard.type('## Heading\nText');
    await keys.reach(page.getByRole('combobox', { name: 'Mood' }));
    await page.keyboard.press('Enter');
    await page.getByRole('option', { name: 'loud' }).waitFor();
    await page.keyboard.type('lo');
    await page.keyboard.press('Enter');
    await keys.reach(page.getByRole('combobox', { name: 'Add to Tags' }));
    await page.keyboard.type('koa');
    await page.getByRole('option', { name: 'koa', exact: true }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Remove koa' }).waitFor();
    await page.keyboard.press('Control+s');
    await page.waitForURL(/articles\/\d+$/u);
    const id = page.url().split('/').at(-1);
    await keys.pressButton('Publish');
    await page.getByRole('button', { name: 'Unpublish' }).waitFor();
    const { title, mood, story, tags, publishedAt } = await stored(`articles/${id}`);
    expect({ title, mood, tags: tags.data.length, isLive: publishedAt !== null }).toEqual({
      title: 'Typed',
      mood: 'loud',
      tags: 1,
      isLive: true,
    });
    expect(story[0]).toMatchObject({ type: 'heading', level: 2 });
    await keys.pressButton('Unpublish');
    await expect.poll(async () => (await stored(`articles/${id}`)).publishedAt).toBe(null);
  });

  it('adds, moves, removes and brings back components, and discards', async () => {
    const { page } = editor;
    await editor.open('values/1');
    const labels = page.getByRole('textbox', { name: 'Label *' });
    const written = async () => await Promise.all((await labels.all()).map((label) => label.inputValue()));
    for (const [at, label] of ['One', 'Two'].entries()) {
      await keys.pressButton('Add Link');
      await labels.nth(at).waitFor();
      await keys.reach(labels.nth(at), 'Shift+Tab');
      await page.keyboard.type(label);
    }
    await keys.reach(page.getByRole('button', { name: /, position 2\./u }), 'Shift+Tab');
    await page.keyboard.press('ArrowUp');
    await expect.poll(written).toEqual(['Two', 'One']);
    await keys.pressButton(/^Remove .*Two/u);
    await expect.poll(written).toEqual(['One']);
    await keys.pressButton('Undo');
    await expect.poll(written).toEqual(['Two', 'One']);
    await keys.pressButton('Discard');
    await expect.poll(written).toEqual([]);
  });

  it('translates an article, and publishes and deletes several in a list', async () => {
    const { page } = editor;
    const { id } = (await kiosk.send('POST', '/api/articles', { data: { title: 'Key', slug: 'key' } })).data;
    await editor.open(`articles/${id}`);
    await keys.reach(page.getByRole('link', { name: 'French' }));
    await page.keyboard.press('Enter');
    await page.waitForURL(/create/u);
    await keys.type('Title *', 'Clé');
    await page.keyboard.press('Control+s');
    await page.waitForURL((url) => /articles\/\d+$/u.test(url.pathname) && !url.pathname.endsWith(`/${id}`));
    await kiosk.send('POST', '/api/articles', { data: { title: 'Key two', slug: 'key-two', publishedAt: null } });
    await editor.open('articles?filter={"slug":{"$startsWith":"key-"}}');
    await keys.reach(page.getByRole('checkbox', { name: 'Select this row' }));
    await page.keyboard.press('Space');
    await keys.pressButton('Publish');
    await keys.pressButton('Publish', page.getByRole('dialog'));
    await page.getByText('1 entry published').waitFor();
    await keys.reach(page.getByRole('checkbox', { name: 'Select this row' }));
    await page.keyboard.press('Space');
    await keys.pressButton('Delete');
    await keys.pressButton('Delete', page.getByRole('dialog'));
    await page.getByText('1 entry deleted').waitFor();
  });

  it('narrows a list by conditions, and chooses its columns', async () => {
    const { page } = editor;
    await editor.open('articles?filter={}');
    await keys.pressButton('Conditions');
    const dialog = page.getByRole('dialog', { name: 'Conditions' });
    await keys.reach(dialog.getByLabel('Value', { exact: true }));
    await page.keyboard.type('First');
    await keys.pressButton('Apply', dialog);
    await page.getByRole('button', { name: 'Conditions (1)' }).waitFor();
    await expect.poll(() => page.locator('tbody').getByRole('row').count(), { timeout: 20_000 }).toBe(1);
    await keys.pressButton('Columns');
    await page.getByRole('menuitemcheckbox', { name: 'Slug' }).waitFor();
    await page.keyboard.type('sl');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await page.getByRole('columnheader', { name: 'Slug' }).waitFor();
  });

  it('changes the language, and signs out', async () => {
    const { page } = editor;
    await editor.open('');
    await keys.pressButton('editor');
    await page.getByRole('menuitemradio', { name: 'Deutsch' }).waitFor();
    await page.keyboard.type('Deu');
    await page.keyboard.press('Enter');
    await page.locator('html[lang=de]').waitFor();
    await keys.pressButton('editor');
    await page.getByRole('menuitem', { name: 'Abmelden', exact: true }).waitFor();
    await page.keyboard.press('End');
    await keys.reach(page.getByRole('menuitem', { name: 'Abmelden', exact: true }), 'ArrowUp');
    await page.keyboard.press('Enter');
    await page.getByLabel('Passwort').waitFor();
    editor.expectNoComplaints();
  });
});
