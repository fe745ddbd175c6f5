/** An impatient editor on a slow network: what is typed, clicked and left while requests are under way. */
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { clickTwice, hold, isSkipped, openBrowser, type Person, signIn, sitDown } from './browser.ts';
import { type Kiosk, LONG, openKiosk } from './kiosk.ts';

describe.skipIf(isSkipped)('on a slow network', () => {
  let browser: Browser;
  let kiosk: Kiosk;
  let known: Awaited<ReturnType<typeof signIn>>;
  let editor: Person;

  beforeAll(async () => {
    [browser, kiosk] = await Promise.all([openBrowser(), openKiosk()]);
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
  const saved = () => editor.page.getByText('Saved', { exact: true });
  const unsaved = () => editor.page.getByText('Unsaved changes', { exact: true });
  /** Clicks, and waits for the message of an earlier save to go. */
  const save = async (name: string | RegExp = /^Save/u) => {
    await saved().waitFor({ state: 'hidden' });
    await button(name).click();
  };
  const article = async (data: object): Promise<number> =>
    (await kiosk.send('POST', '/api/articles', { data: { publishedAt: null, ...data } })).data.id;
  const stored = async (id: number) => {
    const query = 'publicationState=preview&populate[seo]=true&populate[tags]=true&populate[sections][populate]=*';
    return (await kiosk.send('GET', `/api/articles/${id}?${query}`)).data.attributes;
  };
  /** The questions that the browser asks; each is answered with `isAccepted`. */
  const questions = (isAccepted = false) => {
    const asked: string[] = [];
    editor.page.on('dialog', (dialog) => {
      asked.push(dialog.message());
      void (isAccepted ? dialog.accept() : dialog.dismiss());
    });
    return asked;
  };

  it('keeps what is changed while a save is running, on top of the saved version', async () => {
    const { page } = editor;
    const quotes = ['a', 'b'].map((text) => ({ __component: 'blocks.quote', text }));
    const id = await article({ title: 'Slow', slug: 'slow', tags: [1, 2, 3, 4], sections: quotes, teaser: 'x' });
    await editor.open(`articles/${id}`);
    const sections = page.getByRole('group', { name: 'Sections' });
    const add = async (name: string) => {
      await sections.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByRole('menuitem', { name }).click();
    };
    const addTag = async (name: string, picker = page.getByLabel('Add to Tags').first()) => {
      await picker.fill(name);
      await page.getByRole('option', { name, exact: true }).click();
    };
    await field('Title *').fill('Slow, first');
    await button(/^http, 4 of 4/u).press('Home');
    await button('Remove sql').click();
    await addTag('tag 50');
    await add('Hero');
    await field('Heading *').fill('Hero');
    const put = await hold(page, 'PUT', /\/articles\//u);
    await save('Save draft');
    await put.first;

    await field('Title *').fill('Slow, second');
    await field('Body').fill('*typed meanwhile*');
    await button(/^yaml, 3 of 4/u).press('Home');
    await button('Remove koa').click();
    await addTag('tag 51');
    await button('Remove a').click();
    await add('Quote');
    await field('Text *').fill('c');
    await button('Add SEO').click();
    await field('Meta title *').fill('meta');
    await addTag('css', page.getByRole('group', { name: 'Sections' }).getByLabel('Add to Tags'));
    await field('Heading *').fill('Hero typed');
    await put.letGo();
    // Neither the focus nor a character is lost when the answer arrives.
    await page.keyboard.type(' on');
    await saved().waitFor();
    await page.keyboard.type(' and on');
    expect(await field('Heading *').inputValue()).toBe('Hero typed on and on');
    expect(await field('Title *').inputValue()).toBe('Slow, second');
    await unsaved().waitFor();
    expect(await stored(id)).toMatchObject({ title: 'Slow, first', body: null, seo: null });
    expect(await kiosk.titles(`articles/${id}`, 'tags')).toEqual(['http', 'koa', 'yaml', 'tag 50']);

    editor.requests();
    await save('Save draft');
    await saved().waitFor();
    await unsaved().waitFor({ state: 'hidden' });
    const [request = ''] = editor.requests();
    const { data } = JSON.parse(request.slice(request.indexOf('{"data"')));
    expect(data.teaser).toBeUndefined();
    expect(data.sections[1]).toEqual({
      __component: 'blocks.hero',
      id: expect.any(Number),
      heading: expect.anything(),
      tags: expect.anything(),
    });
    expect(await stored(id)).toMatchObject({
      title: 'Slow, second',
      body: '*typed meanwhile*',
      seo: { metaTitle: 'meta' },
      sections: [
        { text: 'b' },
        { heading: 'Hero typed on and on', tags: { data: [{ attributes: { name: 'css' } }] } },
        { text: 'c' },
      ],
    });
    expect(await kiosk.titles(`articles/${id}`, 'tags')).toEqual(['yaml', 'http', 'tag 50', 'tag 51']);
    await page.reload();
    await field('Title *').waitFor();
    expect(await page.getByText('Your unsaved changes have been restored.').count()).toBe(0);
  });

  it('keeps moves in a list whose end is not loaded', async () => {
    const { page } = editor;
    await editor.open('shelves/2');
    await button('Move tag 3').click();
    await page.getByRole('menuitem', { name: 'To the end' }).click();
    const put = await hold(page, 'PUT', /\/shelves\//u);
    await save();
    await put.first;
    await button(`Remove tag ${LONG - 1}`).click();
    await button(`Move tag ${LONG - 2}`).click();
    await page.getByRole('menuitem', { name: 'To the start' }).click();
    await put.letGo();
    await saved().waitFor();
    await unsaved().waitFor();
    await save();
    await saved().waitFor();
    const long = await kiosk.titles('shelves/2', 'long');
    const [start, end] = [long.slice(0, 4), long.slice(-3)];
    expect(start).toEqual([`tag ${LONG - 2}`, 'tag 1', 'tag 2', 'tag 4']);
    expect(end).toEqual([`tag ${LONG - 3}`, `tag ${LONG}`, 'tag 3']);
  });

  it('keeps the options that match while a search is running', async () => {
    const { page } = editor;
    const id = await article({ title: 'Search', slug: 'search' });
    await editor.open(`articles/${id}`);
    const picker = page.getByLabel('Add to Tags').first();
    const option = (name: string) => page.getByRole('option', { name, exact: true });
    await picker.click();
    await option('http').waitFor();
    const search = await hold(page, 'GET', /\/tags$/u);
    await picker.fill('ht');
    await search.first;
    await option('css').waitFor({ state: 'detached' });
    await option('http').click();
    await search.letGo();
    await button('Remove http').waitFor();
  });

  it('sends one request for a double click', async () => {
    const { page } = editor;
    const id = await article({ title: 'Twice', slug: 'twice' });
    await editor.open(`articles/${id}`);
    await field('Title *').fill('Twice, saved');
    await unsaved().waitFor();
    const put = await hold(page, 'PUT', /\/articles\//u);
    await clickTwice(page, 'Save draft');
    await put.first;
    await put.letGo();
    await saved().waitFor();
    expect(put.bodies).toHaveLength(1);
    await editor.open('articles/create');
    await field('Title *').fill('Made twice');
    await field('Slug *').fill('made-twice');
    const post = await hold(page, 'POST', /\/articles$/u);
    await clickTwice(page, 'Save draft');
    await post.first;
    await post.letGo();
    await page.waitForURL(/articles\/\d+$/u);
    expect(post.bodies).toHaveLength(1);
  });

  it('keeps what is typed while an entry is created, in the form of the new entry', async () => {
    const { page } = editor;
    await editor.open('articles/create');
    await field('Title *').fill('New');
    await field('Slug *').fill('new-and-slow');
    await page.getByRole('group', { name: 'Sections' }).getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Quote' }).click();
    await field('Text *').fill('q');
    const post = await hold(page, 'POST', /\/articles$/u);
    await save('Save draft');
    await post.first;
    await field('Title *').fill('New, typed on');
    await field('Text *').fill('quoted');
    await post.letGo();
    await page.waitForURL(/articles\/\d+$/u);
    await unsaved().waitFor();
    expect(await field('Title *').inputValue()).toBe('New, typed on');
    await save('Save draft');
    await saved().waitFor();
    const id = Number(page.url().split('/').at(-1));
    expect(await stored(id)).toMatchObject({ title: 'New, typed on', sections: [{ text: 'quoted' }] });
    expect((await stored(id)).sections).toHaveLength(1);
  });

  it('leaves after the save that is running, and asks if there is more to save', async () => {
    const { page } = editor;
    const leave = () => page.getByRole('navigation').getByText('Shelf').click();
    const asked = questions();
    await editor.open('authors/2');
    await field('Email').fill('grace@example.com');
    let put = await hold(page, 'PUT', /\/authors\//u);
    await save();
    await put.first;
    await leave();
    expect(page.url()).toContain('authors/2');
    await put.letGo();
    await page.waitForURL(/shelves/u);
    expect(asked).toEqual([]);

    await editor.open('authors/2');
    await field('Email').fill('grace@example.net');
    put = await hold(page, 'PUT', /\/authors\//u);
    await save();
    await put.first;
    await field('Email').fill('grace@example.org');
    await leave();
    await put.letGo();
    await expect.poll(() => asked).toHaveLength(1);
    expect(page.url()).toContain('authors/2');
    expect(await field('Email').inputValue()).toBe('grace@example.org');
  });

  it('asks before leaving what could not be saved', async () => {
    const { page } = editor;
    const asked = questions();
    await editor.open('authors/1');
    await field('Email').fill('lost@example.org');
    const put = await hold(page, 'PUT', /\/authors\//u);
    await save();
    await put.first;
    await put.letGo(true);
    await page.getByText('your changes have not been saved').waitFor();
    await page.getByRole('navigation').getByText('Shelf').click();
    await expect.poll(() => asked).toHaveLength(1);
    expect(await field('Email').inputValue()).toBe('lost@example.org');
  });

  it('asks before leaving for an address that begins like this one', async () => {
    const { page } = editor;
    const asked = questions();
    await editor.open('articles/create?locale=en');
    await field('Title *').fill('Nowhere');
    await unsaved().waitFor();
    await page.getByRole('link', { name: 'French' }).click();
    await expect.poll(() => asked).toHaveLength(1);
    expect(await field('Title *').inputValue()).toBe('Nowhere');
  });

  it('keeps what is typed when the page is refreshed, and then still detects the changes of someone else', async () => {
    const { page } = editor;
    await editor.open('authors/1');
    await field('Email').fill('typed@example.org');
    await unsaved().waitFor();
    await kiosk.send('PUT', '/api/authors/1', { data: { email: 'other@example.org' } });
    await button('Refresh').click();
    await page.waitForLoadState('networkidle');
    expect(await field('Email').inputValue()).toBe('typed@example.org');
    await save();
    await page.getByRole('cell', { name: 'other@example.org' }).waitFor();
  });

  it('publishes over the version of someone else, if that was asked for', async () => {
    const id = await article({ title: 'Contested', slug: 'contested' });
    await editor.open(`articles/${id}`);
    await field('Title *').fill('Mine');
    await kiosk.send('PUT', `/api/articles/${id}`, { data: { title: 'Theirs' } });
    await button('Publish').click();
    await button('Overwrite with mine').click();
    await button('Unpublish').waitFor();
    expect(await stored(id)).toMatchObject({ title: 'Mine', publishedAt: expect.any(String) });
  });

  it('deletes no entry that is being saved, and leaves a deleted one without a question', async () => {
    const { page } = editor;
    const asked = questions();
    const id = await article({ title: 'Gone', slug: 'gone' });
    await editor.open(`articles/${id}`);
    await field('Title *').fill('Going');
    const put = await hold(page, 'PUT', /\/articles\//u);
    await save('Save draft');
    await put.first;
    expect(await button('Delete').isDisabled()).toBe(true);
    await put.letGo();
    await saved().waitFor();
    await field('Title *').fill('Unsaved');
    await unsaved().waitFor();
    await button('Delete').click();
    await button('Confirm').click();
    await page.waitForURL(/articles(?:\?|$)/u);
    expect(asked).toEqual([]);
  });
});
