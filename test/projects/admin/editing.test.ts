/** What editors meet in a week: lists by keyboard, refused saves, other languages, files, and mistakes to take back. */
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { isSkipped, openBrowser, type Person, signIn, sitDown } from './browser.ts';
import { type Kiosk, openKiosk } from './kiosk.ts';

describe.skipIf(isSkipped)('editing', () => {
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

  const create = async (data: object): Promise<number> =>
    (await kiosk.send('POST', '/api/articles', { data: { publishedAt: null, ...data } })).data.id;

  /** A German-speaking editor. */
  const germanEditor = async (): Promise<Person> => {
    const person = await sitDown(browser, kiosk, await signIn(browser, kiosk, 'editor'));
    await person.open('');
    await person.page.getByRole('button', { name: 'editor' }).click();
    await person.page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
    await person.page.getByRole('navigation', { name: 'Inhalte' }).waitFor();
    return person;
  };

  /** The label and the accessible error of what has the focus. */
  const focused = `(() => {
    const { activeElement: one } = document;
    const labels = one.labels?.length > 0 ? [...one.labels] : [document.getElementById(one.getAttribute('aria-labelledby'))];
    return [labels.map((label) => label?.textContent).join(), one.getAttribute('aria-invalid')].join(' ');
  })()`;

  it('opens entries of a list by keyboard, and in other tabs', async () => {
    const { page } = editor;
    await editor.open('articles?filter={"slug":"first-story"}');
    const link = page.getByRole('link', { name: 'First story', exact: true });
    await link.waitFor();
    const inTab = async (act: () => Promise<void>) => {
      const [tab] = await Promise.all([page.context().waitForEvent('page'), act()]);
      await tab.waitForURL(/admin\/articles\/1$/u, { waitUntil: 'commit' });
      await tab.close();
      expect(page.url()).toContain('filter');
    };
    await inTab(() => link.click({ modifiers: ['Control'] }));
    await inTab(() => link.click({ button: 'middle' }));
    // Anywhere in the row.
    await inTab(() => page.getByRole('cell', { name: 'calm' }).click({ modifiers: ['Control'] }));
    // Nothing between the buttons above the table and its header that can't be seen.
    await page.getByRole('group', { name: 'Status' }).getByRole('button', { name: 'Modified' }).focus();
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.getBoundingClientRect().height')).toBeGreaterThan(0);
    expect(await page.evaluate(`document.activeElement.closest('table') !== null`)).toBe(true);
    for (let stop = 0; stop < 20 && !(await link.evaluate('document.activeElement.matches("tbody a")')); stop += 1) {
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    await page.waitForURL(/articles\/1$/u);
    await page.goBack();
    await link.waitFor();
    await link.click();
    await page.waitForURL(/articles\/1$/u);
    // Once: neither the link nor the row leave a second step behind.
    await page.goBack();
    await page.waitForURL(/filter/u);
  });

  it('leads to the first field in error, in whatever it is hidden, and names them all', async () => {
    const { page } = editor;
    const link = { label: 'a', url: 'https://example.org' };
    const sections = [
      { __component: 'blocks.hero', heading: 'Hero' },
      { __component: 'blocks.links', links: [link, link, { ...link, label: 'third' }] },
    ];
    const id = await create({ title: 'Refused', slug: 'refused', sections });
    await editor.open(`articles/${id}`);
    const zone = page.getByRole('group', { name: 'Sections' });
    await zone.getByRole('button', { name: /^Links/u, expanded: false }).click();
    await zone.getByRole('button', { name: 'Link third' }).click();
    await zone.getByRole('textbox', { name: 'Url *' }).fill('nowhere');
    await zone.getByRole('textbox', { name: 'Label *' }).fill('fourth');
    await zone.getByRole('button', { name: 'Link fourth' }).click();
    await zone.getByRole('button', { name: /^Links/u, expanded: true }).click();
    await page.evaluate('scrollTo(0, 0)');
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByText(/^Sections 2 › Links 3 › Url: Must match/u).waitFor();
    const url = zone.getByRole('textbox', { name: 'Url *' });
    await expect.poll(() => page.evaluate(focused)).toBe('Url * true');
    const { top, bottom } = await url.evaluate((node: any) => node.getBoundingClientRect());
    expect([top > 150, bottom < 900]).toEqual([true, true]);

    // What only the server knows, in a language of the panel, without paths of the API.
    const german = await germanEditor();
    const other = german.page;
    const draft = await create({
      title: 'Unfertig',
      slug: 'unfertig',
      seo: { image: null },
      sections: sections.slice(1),
    });
    await german.open(`articles/${draft}`);
    await other.getByRole('textbox', { name: 'Slug *' }).fill('first-story');
    await other.getByRole('button', { name: 'Veröffentlichen', exact: true }).click();
    await other.getByText('Seo › Meta title: Pflichtfeld').waitFor();
    await expect.poll(() => other.evaluate(focused)).toBe('Meta title * true');
    await other.getByRole('textbox', { name: 'Meta title *' }).fill('Da');
    await other.getByRole('button', { name: 'Veröffentlichen', exact: true }).click();
    await other.getByText('Slug: Ein anderer Eintrag hat diesen Wert bereits').waitFor();
    await expect.poll(() => other.evaluate(focused)).toBe('Slug * true');
    german.expectNoComplaints();
    await other.context().close();
  });

  it('has a code for everything that a form can get wrong, which other clients do not get', async () => {
    const { page } = editor;
    const wrong: Record<string, unknown> = {
      string: '<',
      email: 'a',
      password: 'a',
      integer: 11,
      biginteger: '1.5',
      float: 'a',
      decimal: '1e999',
      date: 'a',
      time: 'a',
      datetime: 'a',
      enumeration: 'three',
      unknown: 1,
      list: [{ label: null, url: 'a' }, {}, {}, {}],
    };
    const send = async (path: string, data: object, headers: object) =>
      await page.evaluate(
        async ([to, body, more]: any) => {
          const init = { method: 'POST', body: JSON.stringify({ data: body }) };
          const answer = await fetch(to, { ...init, headers: { 'content-type': 'application/json', ...more } });
          return ((await answer.json()) as any).error;
        },
        [`/api/${path}`, data, headers],
      );
    const ofPanel = { 'X-Admin-Session': '1' };
    const bodies: [string, object][] = [
      ['values', wrong],
      ['values', { integer: 1.5, decimal: '1', list: [{ label: null, url: 'a' }] }],
      ['articles', { title: 'x'.repeat(81), slug: 'ä', rating: 6, tags: [9999], sections: [{ __component: 'a' }] }],
      ['articles', { title: 'a', slug: 'first-story', story: [{ type: 'a' }], seo: {} }],
      ['authors', {}],
      ['articles', { title: 'a', slug: 'not-there', tags: [9999] }],
    ];
    const found: { message: string; code?: string }[] = [];
    for (const [path, data] of bodies) found.push(...(await send(path, data, ofPanel)).details.errors);
    expect(found.filter(({ code }) => code === undefined)).toEqual([]);
    expect([...new Set(found.map(({ code }) => code))].sort()).toEqual(
      expect.arrayContaining(
        ['email', 'enum', 'integer', 'maxItems', 'maxLength', 'max', 'missingEntries', 'regex'].sort(),
      ),
    );
    const anyOther = await kiosk.send('POST', '/api/authors', { data: {} }).catch((error: unknown) => String(error));
    expect(anyOther).not.toContain('code');
  });

  it('publishes and deletes several entries, and names those that could not be', async () => {
    const { page } = editor;
    await create({ title: 'Bulk good', slug: 'bulk-good' });
    await create({ title: 'Bulk bad', slug: 'bulk-bad', seo: { image: null } });
    await editor.open('articles?filter={"slug":{"$containsi":"bulk"}}');
    await page.getByRole('checkbox', { name: 'Select all' }).check();
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByRole('heading', { name: 'Publish 2 entries?' }).waitFor();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
    const refused = dialog.getByText('Nothing has been published.');
    await refused.waitFor();
    expect(await refused.textContent()).toMatch(/“Bulk bad”: Seo › Meta title: Required/u);
    const live = await kiosk.send('GET', '/api/articles?filters[slug][$containsi]=bulk');
    expect(live.data).toEqual([]);
    await dialog.getByRole('heading', { name: 'Publish 1 entry?' }).waitFor();
    await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText('1 entry published').waitFor();
    // What was refused stays selected.
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('heading', { name: 'Delete 1 entry?' }).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('1 entry deleted').waitFor();
    const { data } = await kiosk.send('GET', '/api/articles?filters[slug][$containsi]=bulk&publicationState=preview');
    expect(data.map(({ attributes }: any) => attributes.title)).toEqual(['Bulk good']);
  });

  it('keeps the locale of a list in its address, and shows dates as the browser does', async () => {
    const { page } = editor;
    await create({ title: 'Seulement', slug: 'seulement', locale: 'fr' });
    await editor.open('articles?filter={"slug":"seulement"}');
    await page.waitForURL(/locale=en/u);
    await page.getByRole('combobox', { name: 'Language' }).click();
    await page.getByRole('option', { name: 'French' }).click();
    await page.waitForURL(/locale=fr/u);
    await page.getByRole('link', { name: 'Seulement' }).waitFor();
    const address = page.url();
    await page.getByRole('combobox', { name: 'Language' }).click();
    await page.getByRole('option', { name: 'English' }).click();
    await page.waitForURL(/locale=en/u);
    await page.getByRole('link', { name: 'Seulement' }).waitFor({ state: 'detached' });
    await page.goto(address);
    await page.getByRole('link', { name: 'Seulement' }).waitFor();
    await editor.open('values/1');
    const { updatedAt } = (await kiosk.send('GET', '/api/values/1')).data.attributes;
    const style = { dateStyle: 'medium', timeStyle: 'short' } as const;
    const shown = await page.evaluate(
      ([at, options]: any) => new Intl.DateTimeFormat('en-GB', options).format(new Date(at)),
      [updatedAt, style] as const,
    );
    await page.getByText(`Updated: ${shown}`).waitFor();
    await editor.open('articles?locale=en');
  });

  it('has the same menu in every language', async () => {
    const german = await germanEditor();
    const menu = async ({ page }: Person) =>
      await page
        .getByRole('navigation')
        .getByRole('list')
        .evaluateAll((lists: any[]) =>
          lists.map((list) => [...list.querySelectorAll('a')].map((link: any) => link.getAttribute('href')).join()),
        );
    await editor.open('');
    const english = await menu(editor);
    expect(english.length).toBeGreaterThan(2);
    expect(await menu(german)).toEqual(english);
    await german.page.context().close();
  });

  it('takes back what was removed, and discards changes', async () => {
    const { page } = editor;
    const sections = ['One', 'Two'].map((heading) => ({ __component: 'blocks.hero', heading }));
    const id = await create({ title: 'Undone', slug: 'undone', sections, seo: { metaTitle: 'Meta' } });
    await editor.open(`articles/${id}`);
    const unsaved = page.getByText('Unsaved changes', { exact: true });
    await page.getByRole('button', { name: 'Remove One' }).click();
    await unsaved.waitFor();
    await page.getByRole('alert').getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Hero One' }).waitFor();
    await unsaved.waitFor({ state: 'hidden' });
    await page.getByRole('group', { name: 'SEO' }).getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('textbox', { name: 'Title *', exact: true }).fill('Changed');
    await unsaved.waitFor();
    // A click into the form does not end the offer.
    await page.getByText('SEO removed').waitFor();
    await page.getByRole('alert').getByRole('button', { name: 'Undo' }).click();
    expect(await page.getByRole('textbox', { name: 'Meta title *' }).inputValue()).toBe('Meta');
    await page.getByRole('button', { name: 'Discard' }).click();
    await unsaved.waitFor({ state: 'hidden' });
    expect(await page.getByRole('textbox', { name: 'Title *', exact: true }).inputValue()).toBe('Undone');
    await page.getByRole('alert').getByRole('button', { name: 'Undo' }).click();
    await unsaved.waitFor();
    expect(await page.getByRole('textbox', { name: 'Title *', exact: true }).inputValue()).toBe('Changed');
    await page.getByRole('button', { name: 'Discard' }).click();
    await unsaved.waitFor({ state: 'hidden' });
  });

  it('makes a new entry of one that was deleted meanwhile', async () => {
    const { page } = editor;
    const id = await create({ title: 'Deleted', slug: 'deleted', tags: [2, 1], seo: { metaTitle: 'Meta' } });
    await editor.open(`articles/${id}`);
    await page.getByRole('textbox', { name: 'Title *', exact: true }).fill('Deleted, but kept');
    await kiosk.send('DELETE', `/api/articles/${id}`);
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByRole('button', { name: 'Use it for a new entry' }).click();
    await page.waitForURL(/articles\/create/u);
    await page.getByText('Your unsaved changes have been restored.').waitFor();
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.waitForURL(/articles\/\d+$/u);
    const path = `articles/${page.url().split('/').at(-1)}`;
    const { attributes } = (await kiosk.send('GET', `/api/${path}?publicationState=preview&populate=seo`)).data;
    expect(attributes).toMatchObject({ title: 'Deleted, but kept', slug: 'deleted', seo: { metaTitle: 'Meta' } });
    expect(await kiosk.titles(path, 'tags')).toEqual(['sql', 'koa']);
  });

  it('takes files that are dropped on a field, and no others', async () => {
    const { page } = editor;
    const id = await create({ title: 'Files', slug: 'files' });
    await editor.open(`articles/${id}`);
    /** Returns whether the page has taken the drop; otherwise, the browser would leave the page for the file. */
    const drop = async (name: string, type: string, selector: string) =>
      await page
        .locator(selector)
        .first()
        .evaluate(
          (node: any, [fileName, mime]: any) => {
            const { DataTransfer, DragEvent } = globalThis as any;
            const dataTransfer = new DataTransfer();
            dataTransfer.items.add(new File(['north'], fileName, { type: mime }));
            const over = new DragEvent('dragover', { bubbles: true, cancelable: true, dataTransfer });
            const dropped = new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer });
            node.dispatchEvent(over);
            node.dispatchEvent(dropped);
            return over.defaultPrevented && dropped.defaultPrevented;
          },
          [name, type],
        );
    expect(await drop('beside.txt', 'text/plain', 'header')).toBe(true);
    expect(await drop('map.txt', 'text/plain', '[data-field="gallery"] ul')).toBe(true);
    await page.getByRole('group', { name: 'Gallery' }).getByText('map.txt').waitFor();
    expect(await drop('paper.pdf', 'application/pdf', '[data-field="cover"] ul')).toBe(true);
    await page.getByText('paper.pdf: only Images are allowed here').waitFor();
    await page.getByRole('group', { name: 'Cover' }).getByRole('button', { name: 'Choose files' }).click();
    expect(await page.getByRole('dialog').locator('input[type=file]').getAttribute('accept')).toBe('image/*');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    const { data } = await kiosk.send('GET', `/api/articles/${id}?publicationState=preview&populate=gallery,cover`);
    expect(data.attributes.gallery.data.map(({ attributes }: any) => attributes.name)).toEqual(['map.txt']);
    expect((await kiosk.send('GET', '/api/upload/files')).map(({ name }: any) => name)).toEqual(['map.txt']);
  });

  it('writes in the direction of the text', async () => {
    const { page } = editor;
    const arabic = 'مرحبا.';
    const id = await create({
      title: arabic,
      slug: 'arabic',
      teaser: arabic,
      body: arabic,
      story: [{ type: 'paragraph', children: [{ type: 'text', text: arabic }] }],
    });
    await editor.open(`articles/${id}`);
    const direction = (node: any) => (globalThis as any).getComputedStyle(node).direction;
    for (const name of ['Title *', 'Teaser']) {
      expect(await page.getByRole('textbox', { name, exact: true }).evaluate(direction), name).toBe('rtl');
    }
    expect(await page.locator('.ProseMirror p').evaluate(direction)).toBe('rtl');
    expect(await page.getByRole('textbox', { name: 'Slug *' }).evaluate(direction)).toBe('ltr');
    expect(await page.getByRole('textbox', { name: 'Body' }).evaluate(direction)).toBe('rtl');
  });
});
