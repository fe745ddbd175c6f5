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

  it('creates and edits related entries in drawers, which nest', async () => {
    const { page } = editor;
    const id = await create('articles', { title: 'Parent', slug: 'parent', publishedAt: null });
    await editor.open(`articles/${id}`);
    // A new entry, with what was typed as its title.
    await page.getByRole('combobox', { name: 'Author' }).fill('Lovelace');
    await page.getByRole('option', { name: 'Create “Lovelace”' }).click();
    const drawer = page.getByRole('dialog', { name: 'New: Author' });
    expect(await drawer.getByRole('textbox', { name: 'Name *' }).inputValue()).toBe('Lovelace');
    await editor.expectAccessible();
    await drawer.getByRole('textbox', { name: 'Email' }).fill('nobody');
    await page.keyboard.press('Control+s');
    await drawer.getByText('Must be an email address').waitFor();
    await drawer.getByRole('textbox', { name: 'Email' }).fill('lovelace@example.org');
    // What was typed comes back with its drawer after a reload.
    await expect.poll(() => page.evaluate('JSON.stringify(sessionStorage)')).toContain('lovelace@example.org');
    await page.reload();
    await drawer.getByText('Your unsaved changes have been restored.').waitFor();
    expect(await drawer.getByRole('textbox', { name: 'Email' }).inputValue()).toBe('lovelace@example.org');

    // A drawer above it, which is left without saving.
    await drawer.getByRole('combobox', { name: 'Add to Articles' }).click();
    await page.getByRole('option', { name: 'Create new' }).click();
    const second = page.getByRole('dialog', { name: 'New: Article' });
    await second.getByRole('textbox', { name: 'Title *' }).fill('Never saved');
    let asked = 0;
    const answer = async (dialog: { dismiss(): Promise<void>; accept(): Promise<void> }, isKept: boolean) => {
      asked += 1;
      await (isKept ? dialog.dismiss() : dialog.accept());
    };
    page.once('dialog', (dialog) => void answer(dialog, true));
    await page.keyboard.press('Escape');
    await expect.poll(() => asked).toBe(1);
    expect(await second.getByRole('textbox', { name: 'Title *' }).inputValue()).toBe('Never saved');
    page.once('dialog', (dialog) => void answer(dialog, false));
    await second.getByRole('button', { name: 'Close' }).click();
    await second.waitFor({ state: 'detached' });
    expect(asked).toBe(2);

    await drawer.getByRole('button', { name: 'Save', exact: true }).click();
    await drawer.waitFor({ state: 'detached' });
    expect(await page.getByRole('combobox', { name: 'Author' }).inputValue()).toBe('Lovelace');
    await page.keyboard.press('Control+s');
    await expect.poll(async () => (await stored(`articles/${id}`)).author.data?.attributes.name).toBe('Lovelace');

    // An existing one: the row says its new title, and the form of the page has nothing to save.
    await page.getByRole('button', { name: 'Edit Lovelace' }).click();
    const edited = page.getByRole('dialog', { name: 'Author' });
    await edited.getByRole('textbox', { name: 'Name *' }).fill('Ada Lovelace');
    await page.keyboard.press('Control+s');
    await edited.waitFor({ state: 'detached' });
    await expect.poll(() => page.getByRole('combobox', { name: 'Author' }).inputValue()).toBe('Ada Lovelace');
    expect(await page.getByText('Unsaved changes', { exact: true }).count()).toBe(0);
  });

  it('opens the entries of a list in drawers and in tabs, and says what refers to an entry', async () => {
    const { page } = editor;
    await editor.open('articles/1');
    const tags = page.getByRole('list', { name: 'Tags' });
    await tags.getByRole('link', { name: 'yaml' }).click();
    const drawer = page.getByRole('dialog', { name: 'Tag' });
    await drawer.getByRole('textbox', { name: 'Name *' }).fill('YAML');
    // Its own list has the article that is open below.
    await drawer.getByRole('link', { name: 'First story' }).click();
    await page.getByText('This entry is already open below.').waitFor();
    await drawer.getByRole('button', { name: 'Save', exact: true }).click();
    await tags.getByRole('link', { name: 'YAML' }).waitFor();
    await page.getByRole('button', { name: 'Move YAML', exact: true }).click();
    const [tab] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('menuitem', { name: 'Open in a new tab' }).click(),
    ]);
    await tab.waitForURL(/tags\/\d+$/u, { waitUntil: 'commit' });
    await tab.close();

    editor.requests();
    await page.getByRole('button', { name: 'Used by' }).click();
    const uses = page.getByRole('region', { name: 'Used by' });
    await uses.getByRole('link', { name: 'Homepage' }).waitFor();
    await uses.getByRole('link', { name: 'Ada', exact: true }).waitFor();
    // One for each type with a relation to articles.
    expect(editor.requests()).toHaveLength(4);
    await uses.getByRole('link', { name: 'Ada', exact: true }).click();
    await page.waitForURL(/authors\/\d+$/u);
    await page.getByRole('button', { name: 'Used by' }).click();
    await uses.getByRole('link', { name: 'First story' }).waitFor();
    await editor.expectAccessible();
  });

  it('begins with the work of the person, in a bounded number of requests', async () => {
    const { page } = editor;
    const id = await create('articles', { title: 'Worked on', slug: 'worked-on' });
    await kiosk.send('PUT', `/api/articles/${id}?status=draft`, { data: { teaser: 'Changed since' } });
    await create('articles', { title: 'Only a draft', slug: 'only-a-draft', publishedAt: null });
    editor.requests();
    await editor.open('');
    const recent = page.getByRole('list', { name: 'Recently edited' });
    await recent.getByRole('link', { name: /^Only a draft Draft/u }).waitFor();
    const asked = editor.requests().filter((line) => line.includes('sort=updatedAt:desc'));
    expect(asked.length).toBe(5);
    expect(await page.getByText('/api/').count()).toBe(0);
    await editor.expectAccessible();
    await page.getByRole('button', { name: 'Changed since publication' }).click();
    const modified = page.getByRole('list', { name: 'Changed since publication' });
    await modified.getByRole('link', { name: /^Worked on/u }).waitFor();
    expect(await modified.getByRole('link', { name: /^Only a draft/u }).count()).toBe(0);
    await page.getByRole('button', { name: 'Never published' }).click();
    await page
      .getByRole('list', { name: 'Never published' })
      .getByRole('link', { name: /^Only a draft/u })
      .click();
    await page.waitForURL(/articles\/\d+$/u);
    await editor.open('');
    await page.getByRole('list', { name: 'New entry' }).getByRole('link', { name: 'New entry: Tag' }).click();
    await page.waitForURL(/tags\/create$/u);
  });

  it('filters lists by conditions, and keeps them as views', async () => {
    const { page } = editor;
    await create('articles', { title: 'With mood', slug: 'with-mood', mood: 'loud' });
    await create('articles', { title: 'No tags, no mood', slug: 'no-mood' });
    const rows = async () =>
      (await page.getByRole('row').getByRole('link').allTextContents()).filter((text) => / mood/u.test(text));
    await editor.open('articles?filter={"slug":{"$containsi":"mood"}}');
    await page.getByRole('button', { name: 'Conditions' }).click();
    const dialog = page.getByRole('dialog', { name: 'Conditions' });
    const choose = async (label: string, option: string, at = 0) => {
      await dialog.getByLabel(label, { exact: true }).nth(at).click();
      await page.getByRole('option', { name: option, exact: true }).click();
    };
    await choose('Attribute', 'Mood');
    await choose('Condition', 'is not');
    await choose('Value', 'loud');
    await editor.expectAccessible();
    await dialog.getByRole('button', { name: 'Apply' }).click();
    // A mood that is not there is another one.
    await expect.poll(rows).toEqual(['No tags, no mood']);
    await page.getByRole('button', { name: 'Conditions (1)' }).click();
    await dialog.getByRole('button', { name: 'Or …' }).click();
    await choose('Attribute', 'Mood', 1);
    await choose('Condition', 'is not empty', 1);
    await dialog.getByRole('button', { name: 'And …' }).nth(1).click();
    await choose('Attribute', 'Tags', 2);
    await choose('Condition', 'is empty', 2);
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await expect.poll(rows).toEqual(['No tags, no mood', 'With mood']);

    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Score' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Compact rows' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Save this view …' }).click();
    await page.getByLabel('Name of the view').fill('Moods');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Conditions (3)' }).click();
    await dialog.getByRole('button', { name: 'Remove all' }).click();
    await page.getByRole('button', { name: 'Conditions', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('menuitem', { name: 'Default columns' }).click();
    await page.keyboard.press('Escape');
    await editor.open('articles');
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Moods', exact: true }).click();
    await page.getByRole('button', { name: 'Conditions (3)' }).waitFor();
    await page.getByRole('columnheader', { name: 'Score' }).waitFor();
    await expect.poll(rows).toEqual(['No tags, no mood', 'With mood']);
    await editor.expectAccessible();
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Remove the view Moods' }).click();
    await page.getByRole('menuitem', { name: 'Moods', exact: true }).waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
  });

  it('edits an attribute of several entries, all or none, and names those that are refused', async () => {
    const { page } = editor;
    const ids: number[] = [];
    for (const title of ['Bulk one', 'Bulk two']) {
      ids.push(await create('articles', { title, slug: title.replace(' ', '-').toLowerCase() }));
    }
    await editor.open('articles?filter={"slug":{"$startsWith":"bulk"}}');
    for (const title of ['Bulk one', 'Bulk two']) {
      await page
        .getByRole('row', { name: new RegExp(title, 'u') })
        .getByRole('checkbox')
        .check();
    }
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit the selected entries' });
    await dialog.getByRole('combobox', { name: 'Attribute' }).click();
    expect(await page.getByRole('option', { name: 'Slug' }).count()).toBe(0);
    await page.getByRole('option', { name: 'Author', exact: true }).click();
    await dialog.getByRole('combobox', { name: 'Author' }).fill('Grace');
    await page.getByRole('option', { name: 'Grace', exact: true }).click();
    await editor.expectAccessible();
    editor.requests();
    await dialog.getByRole('button', { name: 'Change 2 entries' }).click();
    await page.getByText('2 entries changed').waitFor();
    expect(editor.requests().filter((line) => line.startsWith('POST'))).toEqual([
      expect.stringContaining('POST /api/_batch'),
    ]);
    for (const id of ids) expect((await stored(`articles/${id}`)).author.data.attributes.name).toBe('Grace');

    // One is gone meanwhile: nothing is done until the others are wanted.
    for (const title of ['Bulk one', 'Bulk two']) {
      await page
        .getByRole('row', { name: new RegExp(title, 'u') })
        .getByRole('checkbox')
        .check();
    }
    await kiosk.send('DELETE', `/api/articles/${ids[0]}`);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await dialog.getByRole('combobox', { name: 'Attribute' }).click();
    await page.getByRole('option', { name: 'Teaser' }).click();
    await dialog.getByRole('textbox', { name: 'Teaser' }).fill('Together');
    await dialog.getByRole('button', { name: 'Change 2 entries' }).click();
    await dialog.getByText(/“Bulk one”/u).waitFor();
    expect((await stored(`articles/${ids[1]}`)).teaser).toBe(null);
    await dialog.getByRole('button', { name: 'Change 1 entry' }).click();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(async () => (await stored(`articles/${ids[1]}`)).teaser).toBe('Together');
  });
});
