/** The desk of editors: what they do by keyboard, from one form to the next, and where they begin. */
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { isSkipped, openBrowser, type Person, signIn, sitDown } from './browser.ts';
import { type Kiosk, openKiosk } from './kiosk.ts';

describe.skipIf(isSkipped)('the desk', () => {
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
  afterEach(() => editor.expectNoComplaints());

  const create = async (path: string, data: object): Promise<number> =>
    (await kiosk.send('POST', `/api/${path}`, { data })).data.id;
  const stored = async (path: string) =>
    (await kiosk.send('GET', `/api/${path}?publicationState=preview&populate=*`)).data.attributes;

  it('saves a new entry with Ctrl+S, whose slug follows its title until it is typed', async () => {
    const { page } = editor;
    await editor.open('articles/create');
    const title = page.getByRole('textbox', { name: 'Title *' });
    const slug = page.getByRole('textbox', { name: 'Slug *' });
    await title.pressSequentially('Été & Co');
    await expect.poll(() => slug.inputValue()).toBe('ete-and-co');
    await slug.press('End');
    await slug.pressSequentially('-2');
    await title.press('End');
    await title.pressSequentially('mpany');
    expect(await slug.inputValue()).toBe('ete-and-co-2');
    // Emptied, it stays empty: the server makes one that is free.
    await slug.fill('');
    await title.pressSequentially('.');
    expect(await slug.inputValue()).toBe('');
    await page.keyboard.press('Control+s');
    await page.waitForURL(/articles\/\d+$/u);
    await expect.poll(() => slug.inputValue()).toBe('ete-and-company');
    // It is the draft that is saved; what is saved has nothing more to save.
    await page.getByText('Draft', { exact: true }).first().waitFor();
    editor.requests();
    await page.keyboard.press('Control+s');
    await page.getByText('There are no unsaved changes.').waitFor();
    await title.fill('Summer');
    await page.keyboard.press('Control+s');
    await page.getByText('Saved', { exact: true }).waitFor();
    // That of an existing entry does not follow.
    expect(await slug.inputValue()).toBe('ete-and-company');
    expect(editor.requests().filter((line) => line.startsWith('PUT'))).toEqual([
      expect.stringContaining('{"data":{"title":"Summer"}}'),
    ]);
  });

  it('has a palette of types, new entries, screens, commands and entries', async () => {
    const { page } = editor;
    await editor.open('articles/1');
    await page.getByRole('textbox', { name: 'Teaser' }).fill('New');
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: 'Type a name, a title or a command' });
    await field.waitFor();
    await editor.expectAccessible();
    expect(await page.getByRole('option').first().textContent()).toBe('Save draft');
    // The form below the palette is out of reach.
    editor.requests();
    await page.keyboard.press('Control+s');
    await field.fill('save dr');
    await page.keyboard.press('Enter');
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(editor.requests().filter((line) => line.startsWith('PUT'))).toHaveLength(1);

    // Entries by title, with few requests however many types there are.
    await page.keyboard.press('Control+k');
    editor.requests();
    await field.pressSequentially('Secon', { delay: 20 });
    await page.getByRole('option', { name: /^Second story/u }).waitFor();
    const asked = editor.requests();
    expect(asked.every((line) => line.includes('[$containsi]=Secon&'))).toBe(true);
    expect(asked.length).toBeLessThanOrEqual(12);
    await page.keyboard.press('Enter');
    await page.waitForURL(/articles\/2$/u);

    await page.keyboard.press('Control+k');
    await field.fill('new author');
    await page.keyboard.press('Enter');
    await page.waitForURL(/authors\/create$/u);
    await page.getByRole('button', { name: /^Search and commands/u }).click();
    await field.fill('roles');
    await page.getByRole('option', { name: 'Roles' }).click();
    await page.waitForURL(/roles$/u);
    await page.keyboard.press('Control+k');
    await field.press('Escape');
    await field.waitFor({ state: 'detached' });
  });

  it('shows long texts on the full screen, and counts their words', async () => {
    const { page } = editor;
    const story = [{ type: 'paragraph', children: [{ type: 'text', text: 'Three little words' }] }];
    const id = await create('articles', { title: 'Long', slug: 'long', body: 'Two words', story, publishedAt: null });
    await editor.open(`articles/${id}`);
    for (const [name, words] of [
      ['Teaser', '1 word'],
      ['Body', '2 words'],
      ['Story', '3 words'],
    ] as const) {
      const field = page.locator(`[data-field="${name.toLowerCase()}"]`);
      if (name === 'Teaser') await field.getByRole('textbox').fill('One');
      await field.getByText(words, { exact: true }).waitFor();
      await field.getByRole('button', { name: 'Full screen' }).click();
      const full = page.getByRole('dialog', { name });
      const { width, height } = (await full.boundingBox()) ?? { width: 0, height: 0 };
      expect([width, height]).toEqual([1280, 900]);
      const text = full.getByRole('textbox', { name });
      await text.click();
      await text.press('End');
      await text.pressSequentially(' more');
      if (name === 'Story') await editor.expectAccessible();
      await text.press('Escape');
      await full.waitFor({ state: 'detached' });
    }
    await page.keyboard.press('Control+s');
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await stored(`articles/${id}`)).toMatchObject({
      teaser: 'One more',
      body: 'Two words more',
      story: [{ children: [{ text: 'Three little words more' }] }],
    });
  });

  it('expands all components, and inserts one between others', async () => {
    const { page } = editor;
    const sections = ['first', 'second'].map((text) => ({ __component: 'blocks.quote', text }));
    const id = await create('articles', { title: 'Zone', slug: 'zone', sections, publishedAt: null });
    await editor.open(`articles/${id}`);
    const zone = page.getByRole('group', { name: 'Sections' }).first();
    await zone.getByRole('button', { name: 'Expand all' }).click();
    expect(await zone.getByRole('textbox', { name: 'Text *' }).count()).toBe(2);
    await zone.getByRole('button', { name: 'Collapse all' }).click();
    expect(await zone.getByRole('textbox', { name: 'Text *' }).count()).toBe(0);
    await zone.getByRole('button', { name: 'Insert after first' }).click();
    await page.getByRole('menuitem', { name: 'Hero' }).click();
    await zone.getByRole('textbox', { name: 'Heading *' }).fill('between');
    await page.keyboard.press('Control+s');
    await page.getByText('Saved', { exact: true }).waitFor();
    const { sections: now } = await stored(`articles/${id}`);
    expect(now.map(({ text, heading }: any) => text ?? heading)).toEqual(['first', 'between', 'second']);
  });
});
