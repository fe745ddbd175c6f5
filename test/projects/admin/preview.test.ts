/** The preview beside the form: a site follows what is typed, and its texts lead to their fields. Nobody else hears of it. */
import type { Browser, FrameLocator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { addAccount, addToken, fullAccess, type Send } from '../../support/full-access.ts';
import { type ServedProject, serveProject } from '../../support/served-project.ts';
import { isSkipped, openBrowser, type Person, shoot, signIn, sitDown } from './browser.ts';
import { openSite, openStranger, type Site, type Stranger } from './preview-site.ts';

type Format = 'v4' | 'v5';

const schemaOf = (site: string, format: Format) => `name: previewed
databases: [sqlite]
locales: [en, de]
api: { format: ${format} }
admin: { previewUrl: '${site}/{type}/{${format === 'v5' ? 'documentId' : 'id'}}?locale={locale}' }
contentTypes:
  article:
    draftAndPublish: true
    localized: true
    attributes:
      title: { type: string, required: true }
      teaser: { type: text }
      note: { type: string, private: true }
      cover: { type: media }
      author: { type: relation, relation: manyToOne, target: author, localized: false }
      tags: { type: relation, relation: manyWay, target: tag, localized: false }
      seo: { type: component, component: shared.seo }
      sections: { type: dynamiczone, components: [blocks.hero] }
  author: { attributes: { name: { type: string, required: true }, motto: { type: string } } }
  tag: { attributes: { name: { type: string, required: true } } }
components:
  shared.seo: { attributes: { metaTitle: { type: string } } }
  blocks.hero:
    attributes:
      heading: { type: string, required: true }
      text: { type: text }
      by: { type: relation, relation: manyToOne, target: author }
permissions:
  editor: { '*': '*', upload: '*', users: '*', roles: '*', locales: '*', admin: [access] }
  reader: { article: [find, findOne], author: [find, findOne], admin: [access] }
`;

async function addContent(send: Send, format: Format): Promise<void> {
  for (const username of ['editor', 'reader']) await addAccount(send, username);
  const { id: author } = (await send('POST', '/api/authors', { data: { name: 'Ada', motto: 'Count' } })).data;
  const { id: tag } = (await send('POST', '/api/tags', { data: { name: 'koa' } })).data;
  const data = {
    title: 'First story',
    teaser: 'How it began',
    author,
    tags: [tag],
    seo: { metaTitle: 'Found' },
    sections: [
      { __component: 'blocks.hero', heading: 'One', text: 'The first part', by: author },
      { __component: 'blocks.hero', heading: 'Two', text: 'The second part' },
    ],
  };
  if (format === 'v4') await send('POST', '/api/articles', { data: { ...data, publishedAt: null } });
  else await send('POST', '/api/articles?status=draft', { data });
}

describe.skipIf(isSkipped).each(['v4', 'v5'] as const)('the preview in %s', (format) => {
  let browser: Browser;
  let site: Site;
  let stranger: Stranger;
  let server: ServedProject;
  let send: Send;
  let editor: Person;
  let frame: FrameLocator;

  beforeAll(async () => {
    [site, stranger] = await Promise.all([openSite(), openStranger()]);
    [browser, server] = await Promise.all([openBrowser(), serveProject(schemaOf(site.origin, format))]);
    send = await fullAccess(server);
    await addContent(send, format);
    const reading = ['find', 'findOne', 'preview'].map((action) => `article.${action}`);
    const permissions = [...reading, 'author.find', 'author.findOne', 'tag.find', 'tag.findOne'];
    site.from(server.origin, await addToken(server, { kind: 'custom', permissions }), format);
    editor = await sitDown(browser, server, await signIn(browser, server, 'editor'), 1440);
    frame = editor.page.frameLocator('iframe');
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    await site?.close();
    await stranger?.close();
  });
  afterEach(() => editor.expectNoComplaints());

  const field = (name: string) => editor.page.getByRole('textbox', { name, exact: true });
  const button = (name: string) => editor.page.getByRole('button', { name, exact: true });
  const width = () => frame.locator('html').evaluate((html: any) => html.clientWidth);
  const shown = (text: string, tag: string) => frame.locator(tag).getByText(text, { exact: true }).waitFor();
  const focused = () =>
    editor.page.evaluate<string | null>(
      `document.activeElement?.closest('[data-field]')?.getAttribute('data-field') ?? null`,
    );
  it('is opened by a button, and follows what is typed, unsaved', async () => {
    await editor.open('articles/1');
    expect(await editor.page.locator('iframe').count()).toBe(0);
    await button('Preview').click();
    await shown('First story', 'h1');
    await field('Title *').fill('A second title');
    await shown('A second title', 'h1');
    await field('Teaser').fill('');
    await expect.poll(() => frame.locator('.teaser').textContent()).toBe('');
    await field('Teaser').fill('Anew');
    await shown('Anew', '.teaser');
    // What shows it in another form waits for the save.
    expect(await frame.locator('#shouted').textContent()).toBe('FIRST STORY');
    await editor.expectAccessible();
    await shoot(editor.page, 'preview', [1440, 1024, 390]);
    await button('Discard').click();
    await shown('First story', 'h1');
    await shown('How it began', '.teaser');

    await field('Title *').fill('Saved');
    await button('Save draft').click();
    await frame.locator('#shouted').getByText('SAVED').waitFor();
    await shown('Saved', 'h1');
    // A page that is loaded anew gets what is unsaved.
    await field('Title *').fill('First story');
    await shown('First story', 'h1');
    await button('Load the preview again').click();
    await frame.locator('#shouted').getByText('SAVED').waitFor();
    await shown('First story', 'h1');
    // It is remembered that it was open, and in which width.
    await button('Phone').click();
    await expect.poll(width).toBe(390);
    await shoot(editor.page, 'phone', [1440, 1024, 390]);
    await editor.open('articles/1');
    await shown('First story', 'h1');
    expect(await button('Phone').getAttribute('aria-pressed')).toBe('true');
    await button('Desktop').click();
    await expect.poll(width).toBe(1280);
    // Playwright clicks beside what is in a frame that is made smaller.
    await button('Phone').click();
  });

  it('leads from a text to its field, by mouse and by keyboard, wherever the item stands by now', async () => {
    await frame.locator('.teaser').click();
    await expect.poll(focused).toBe('teaser');
    await frame.locator('h2').getByText('Two', { exact: true }).click();
    await expect.poll(focused).toBe('sections.1.heading');
    await editor.page.keyboard.press('End');
    await editor.page.keyboard.type(' and a half');
    await shown('Two and a half', 'h2');
    await button('Remove Hero: One')
      .or(editor.page.getByRole('button', { name: /^Remove.*One$/u }))
      .first()
      .click();
    await frame.locator('section p').getByText('The second part').focus();
    await editor.page.keyboard.press('Enter');
    await expect.poll(focused).toBe('sections.0.text');
    // The page goes on to follow its links.
    await frame.locator('small').click({ modifiers: ['Alt'] });
    expect(await focused()).not.toBe('seo.metaTitle');
    await frame.locator('small').click();
    await expect.poll(focused).toBe('seo.metaTitle');
    await button('Discard').click();
  });

  it('opens the form of another entry whose text it shows', async () => {
    await editor.open('articles/1');
    await frame.locator('a span').click();
    const drawer = editor.page.getByRole('dialog');
    await drawer.getByRole('textbox', { name: 'Name *' }).fill('Ada Lovelace');
    // Colours of a button that can be used from now on change slowly.
    await editor.page.waitForTimeout(500);
    await editor.expectAccessible();
    await drawer.getByRole('button', { name: 'Save' }).click();
    await shown('Ada Lovelace', 'a span');
    await drawer.waitFor({ state: 'detached' });
  });

  it('gives sites that draw themselves what the API would answer', async () => {
    site.rendersInBrowser = true;
    await editor.open('articles/1');
    await shown('Saved', 'h1');
    const heard = () => frame.locator('html').evaluate(() => (globalThis as any).changes);
    await expect.poll(async () => (await heard()).length).toBeGreaterThan(0);
    const [{ entry, about }] = await heard();
    const key = format === 'v5' ? about.documentId : 1;
    const drafts = format === 'v5' ? 'status=draft&locale=en' : 'publicationState=preview';
    const query = `marks=true&${drafts}&populate[seo]=true&populate[cover]=true&populate[sections]=true`;
    const { data } = await send('GET', `/api/articles/${key}?${query}`);
    const { meta: _meta, ...stored } = data;
    expect(entry).toEqual(stored);
    expect(about).toMatchObject({ uid: 'article', id: 1, locale: 'en' });

    await field('Title *').fill('Drawn anew');
    await shown('Drawn anew', 'h1');
    await frame.locator('#shouted').getByText('DRAWN ANEW').waitFor();
    // Relations that have not changed stay as the site has read them.
    await shown('Ada Lovelace', 'a span');
    await button('Save draft').click();
    await editor.page.getByText('Saved', { exact: true }).waitFor();
    await shown('Drawn anew', 'h1');
    await frame.locator('h1').click();
    await expect.poll(focused).toBe('title');
    site.rendersInBrowser = false;
  });

  it('says what is missing where the site does not answer', async () => {
    site.hasScript = false;
    await editor.open('articles/1');
    await editor.page.getByText(`Does the page at ${site.origin} load the script`).waitFor();
    await editor.expectAccessible();
    await shoot(editor.page, 'silent', [1440]);
    site.hasScript = true;
  });

  it('tells pages of other hosts nothing, and listens to none of them', async () => {
    // The browser complains of what it refuses.
    const person = await sitDown(browser, server, await signIn(browser, server, 'editor'), 1440);
    const { page } = person;
    const inner = page.frameLocator('iframe');
    await person.open('articles/1');
    await page.getByRole('button', { name: 'Preview' }).click();
    await inner.locator('h1').getByText('Drawn anew').waitFor();
    const { headers } = await fetch(`${server.origin}/admin/`);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy.split('; ')).toContain(`frame-src ${site.origin}`);
    // The site leads its frame to another host.
    await inner.locator('html').evaluate((_html, url) => (globalThis as any).location.assign(url), stranger.origin);
    await expect.poll(() => page.frames().map((one) => one.url())).not.toContain(`${site.origin}/`);
    const title = page.getByRole('textbox', { name: 'Title *', exact: true });
    await title.fill('Secret');
    await page.waitForTimeout(500);
    // Another page frames the site, and speaks to its script.
    site.framedBy = '*';
    const other = await page.context().newPage();
    const url = page.url();
    const key = format === 'v5' ? (await send('GET', '/api/articles?status=draft')).data[0].documentId : 1;
    await other.goto(`${stranger.origin}/?frame=${encodeURIComponent(`${site.origin}/article/${key}?locale=en`)}`);
    const framed = other.frameLocator('iframe');
    await framed.locator('h1').getByText('Drawn anew').waitFor();
    await other.waitForTimeout(300);
    expect(await framed.locator('h1').textContent()).toBe('Drawn anew');
    await framed.locator('h1').click();
    // Nor can it frame the panel.
    await other.goto(`${stranger.origin}/?frame=${encodeURIComponent(url)}`);
    await other.waitForTimeout(300);
    await other.close();
    site.framedBy = undefined;
    expect(stranger.heard).toEqual([]);
    // A program in the panel's own window is not the frame.
    await page.evaluate(`postMessage({ contentPreview: 1, kind: 'focus', mark: 'article/1/teaser' }, location.origin)`);
    await page.waitForTimeout(300);
    expect(await title.evaluate((node: any) => node === node.ownerDocument.activeElement)).toBe(true);
    await page.context().close();
  });
});
