/** The jobs of an editor by keyboard alone: whatever is pressed was reached with Tab, and no mouse is there. */
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isSkipped, openBrowser, type Person, signIn, sitDown } from './browser.ts';
import { type Kiosk, openKiosk, PASSWORD } from './kiosk.ts';

/** A screen that needs more stops than this is not usable by keyboard. */
const MAX_STOPS = 80;

describe.skipIf(isSkipped)('by keyboard alone, an editor', () => {
  let browser: Browser;
  let kiosk: Kiosk;
  let editor: Person;

  beforeAll(async () => {
    [browser, kiosk] = await Promise.all([openBrowser(), openKiosk()]);
    editor = await sitDown(browser, kiosk, await signIn(browser, kiosk, 'editor'));
  });
  afterAll(async () => {
    await browser?.close();
    await kiosk?.close();
  });

  const isFocused = async (locator: Locator): Promise<boolean> =>
    (await locator.count()) > 0 && (await locator.first().evaluate((node: any) => node.matches(':focus')));

  /** Presses Tab, or Shift+Tab, until the element has the focus. */
  async function reach(locator: Locator, { key = 'Tab', page = editor.page as Page } = {}): Promise<void> {
    await locator.first().waitFor();
    for (let stops = 0; stops < MAX_STOPS; stops += 1) {
      if (await isFocused(locator)) return;
      await page.keyboard.press(key);
    }
    throw new Error(`${String(locator)} is not reached by ${key}`);
  }
  async function press(name: string | RegExp, within: Pick<Page, 'getByRole'> = editor.page): Promise<void> {
    await reach(within.getByRole('button', { name, exact: typeof name === 'string' }));
    await editor.page.keyboard.press('Enter');
  }
  async function type(label: string, text: string): Promise<void> {
    await reach(editor.page.getByRole('textbox', { name: label, exact: true }));
    await editor.page.keyboard.press('Control+a');
    await editor.page.keyboard.type(text);
  }
  const stored = async (path: string) =>
    (await kiosk.send('GET', `/api/${path}?publicationState=preview&populate=*`)).data.attributes;

  it('signs in, finds an entry, opens it and goes back', async () => {
    const context = await browser.newContext({ locale: 'en-GB' });
    const page = await context.newPage();
    await page.goto(`${kiosk.origin}/admin/`);
    await reach(page.getByLabel('Email or username'), { page });
    await page.keyboard.type('editor');
    await reach(page.getByLabel('Password'), { page });
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('banner').waitFor();
    await context.close();

    await editor.open('articles');
    await reach(editor.page.getByPlaceholder('Search'));
    await editor.page.keyboard.type('Second');
    await editor.page.getByRole('link', { name: 'First story' }).waitFor({ state: 'detached' });
    await reach(editor.page.getByRole('link', { name: 'Second story' }));
    await editor.page.keyboard.press('Enter');
    await editor.page.waitForURL(/articles\/2$/u);
    // The palette leads back to the list, which is as it was.
    await editor.page.keyboard.press('Control+k');
    await editor.page.getByRole('option', { name: 'Article', exact: true }).waitFor();
    await editor.page.keyboard.type('article');
    await expect.poll(() => editor.page.getByRole('option').first().textContent()).toContain('Article');
    await editor.page.keyboard.press('Enter');
    await editor.page.getByRole('link', { name: 'Second story' }).waitFor();
    expect(await editor.page.getByRole('link', { name: 'First story' }).count()).toBe(0);
  });

  it('writes, relates, saves, publishes and unpublishes an article', async () => {
    const { page } = editor;
    await editor.open('articles/create');
    await type('Title *', 'Typed');
    await reach(page.getByRole('textbox', { name: 'Story' }));
    await page.keyboard.type('## Heading\nText');
    await reach(page.getByRole('combobox', { name: 'Mood' }));
    await page.keyboard.press('Enter');
    await page.getByRole('option', { name: 'loud' }).waitFor();
    await page.keyboard.type('lo');
    await page.keyboard.press('Enter');
    await reach(page.getByRole('combobox', { name: 'Add to Tags' }));
    await page.keyboard.type('koa');
    await page.getByRole('option', { name: 'koa', exact: true }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Remove koa' }).waitFor();
    await page.keyboard.press('Control+s');
    await page.waitForURL(/articles\/\d+$/u);
    const id = page.url().split('/').at(-1);
    await press('Publish');
    await page.getByRole('button', { name: 'Unpublish' }).waitFor();
    const { title, mood, story, tags, publishedAt } = await stored(`articles/${id}`);
    expect({ title, mood, tags: tags.data.length, isLive: publishedAt !== null }).toEqual({
      title: 'Typed',
      mood: 'loud',
      tags: 1,
      isLive: true,
    });
    expect(story[0]).toMatchObject({ type: 'heading', level: 2 });
    await press('Unpublish');
    await expect.poll(async () => (await stored(`articles/${id}`)).publishedAt).toBe(null);
  });

  it('adds, moves, removes and brings back components, and discards', async () => {
    const { page } = editor;
    await editor.open('values/1');
    const labels = page.getByRole('textbox', { name: 'Label *' });
    const written = async () => await Promise.all((await labels.all()).map((label) => label.inputValue()));
    for (const [at, label] of ['One', 'Two'].entries()) {
      await press('Add Link');
      await labels.nth(at).waitFor();
      await reach(labels.nth(at), { key: 'Shift+Tab' });
      await page.keyboard.type(label);
    }
    await reach(page.getByRole('button', { name: /, position 2\./u }), { key: 'Shift+Tab' });
    await page.keyboard.press('ArrowUp');
    await expect.poll(written).toEqual(['Two', 'One']);
    await press(/^Remove .*Two/u);
    await expect.poll(written).toEqual(['One']);
    await press('Undo');
    await expect.poll(written).toEqual(['Two', 'One']);
    await press('Discard');
    await expect.poll(written).toEqual([]);
  });

  it('translates an article, and publishes and deletes several in a list', async () => {
    const { page } = editor;
    const { id } = (await kiosk.send('POST', '/api/articles', { data: { title: 'Key', slug: 'key' } })).data;
    await editor.open(`articles/${id}`);
    await reach(page.getByRole('link', { name: 'French' }));
    await page.keyboard.press('Enter');
    await page.waitForURL(/create/u);
    await type('Title *', 'Clé');
    await page.keyboard.press('Control+s');
    await page.waitForURL((url) => /articles\/\d+$/u.test(url.pathname) && !url.pathname.endsWith(`/${id}`));
    await kiosk.send('POST', '/api/articles', { data: { title: 'Key two', slug: 'key-two', publishedAt: null } });
    await editor.open('articles?filter={"slug":{"$startsWith":"key-"}}');
    await reach(page.getByRole('checkbox', { name: 'Select this row' }));
    await page.keyboard.press('Space');
    await press('Publish');
    await press('Publish', page.getByRole('dialog'));
    await page.getByText('1 entry published').waitFor();
    await reach(page.getByRole('checkbox', { name: 'Select this row' }));
    await page.keyboard.press('Space');
    await press('Delete');
    await press('Delete', page.getByRole('dialog'));
    await page.getByText('1 entry deleted').waitFor();
  });

  it('narrows a list by conditions, and chooses its columns', async () => {
    const { page } = editor;
    await editor.open('articles?filter={}');
    await press('Conditions');
    const dialog = page.getByRole('dialog', { name: 'Conditions' });
    await reach(dialog.getByLabel('Value', { exact: true }));
    await page.keyboard.type('First');
    await press('Apply', dialog);
    await page.getByRole('button', { name: 'Conditions (1)' }).waitFor();
    await expect.poll(() => page.locator('tbody').getByRole('row').count(), { timeout: 20_000 }).toBe(1);
    await press('Columns');
    await page.getByRole('menuitemcheckbox', { name: 'Slug' }).waitFor();
    await page.keyboard.type('sl');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await page.getByRole('columnheader', { name: 'Slug' }).waitFor();
  });

  it('changes the language, and signs out', async () => {
    const { page } = editor;
    await editor.open('');
    await press('editor');
    await page.getByRole('menuitemradio', { name: 'Deutsch' }).waitFor();
    await page.keyboard.type('Deu');
    await page.keyboard.press('Enter');
    await page.locator('html[lang=de]').waitFor();
    await press('editor');
    await page.getByRole('menuitem', { name: 'Abmelden', exact: true }).waitFor();
    await page.keyboard.press('End');
    await reach(page.getByRole('menuitem', { name: 'Abmelden', exact: true }), { key: 'ArrowUp' });
    await page.keyboard.press('Enter');
    await page.getByLabel('Passwort').waitFor();
    editor.expectNoComplaints();
  });
});
