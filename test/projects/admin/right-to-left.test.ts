/** The panel in a language of a team that is written from right to left: everything is mirrored, and texts keep their direction. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAccount, fullAccess } from '../../support/full-access.ts';
import { type ServedProject, serveProject } from '../../support/served-project.ts';
import { isSkipped, openBrowser, type Person, signIn, sitDown } from './browser.ts';

const SCHEMA = `name: alef
databases: [sqlite]
contentTypes:
  article:
    draftAndPublish: true
    admin: { columns: [title, slug, updatedAt], sidebar: [mood] }
    attributes:
      title: { type: string, required: true }
      slug: { type: uid, targetField: title }
      body: { type: text }
      story: { type: richtext }
      mood: { type: enumeration, enum: [calm, loud] }
      tags: { type: relation, relation: manyWay, target: tag }
  tag: { attributes: { name: { type: string } } }
permissions:
  editor: { '*': '*', admin: [access] }
`;

const HEBREW = 'שלום עולם';

const INDEX = `import type { Panel } from '@content-gen/runtime/panel';

export default {
  languages: {
    he: {
      name: 'עברית',
      texts: {
        session: { signIn: 'כניסה' },
        home: { work: 'עבודה', content: 'תוכן' },
        menu: { lists: 'תוכן' },
        ra: { action: { save: 'שמירה', create: 'יצירה' } },
      },
    },
  },
} satisfies Panel;
`;

describe.skipIf(isSkipped)('a language written from right to left', () => {
  let browser: Browser;
  let server: ServedProject;
  let editor: Person;
  let known: Awaited<ReturnType<typeof signIn>>;

  beforeAll(async () => {
    [browser, server] = await Promise.all([openBrowser(), serveProject(SCHEMA)]);
    const send = await fullAccess(server);
    const modules = join(server.project, 'src/extensions/admin');
    await mkdir(modules, { recursive: true });
    await writeFile(join(modules, 'index.ts'), INDEX);
    await addAccount(send, 'editor');
    for (const name of ['one', 'two']) await send('POST', '/api/tags', { data: { name } });
    await send('POST', '/api/articles', { data: { title: HEBREW, slug: 'shalom', tags: [1, 2] } });
    await send('POST', '/api/articles', { data: { title: 'English, too.', slug: 'english' } });
    known = await signIn(browser, server, 'editor');
    editor = await sitDown(browser, server, known);
    await editor.open('');
    await editor.page.getByRole('button', { name: 'editor' }).click();
    await editor.page.getByRole('menuitemradio', { name: 'עברית' }).click();
    await editor.page.locator('html[dir=rtl][lang=he]').waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  /** Where something begins and ends, from the left. */
  async function sides(locator: Locator): Promise<{ readonly left: number; readonly right: number }> {
    const box = await locator.boundingBox();
    if (!box) throw new Error('it is not shown');
    return { left: box.x, right: box.x + box.width };
  }
  /** Expects that each begins where the one before has ended, from right to left. */
  async function expectFromRight(...locators: readonly Locator[]): Promise<void> {
    const places = await Promise.all(locators.map(sides));
    for (const [at, place] of places.slice(1).entries()) {
      expect(place.right, String(locators[at + 1])).toBeLessThanOrEqual((places[at]?.left ?? 0) + 1);
    }
  }
  async function expectNothingBeside(): Promise<void> {
    const { page } = editor;
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    await editor.expectAccessible();
    editor.expectNoComplaints();
  }

  it('mirrors the frame, the navigation and the start page', async () => {
    const { page } = editor;
    await editor.open('');
    await page.getByRole('region', { name: 'עבודה' }).getByRole('link').first().waitFor();
    // What stands around a name in Latin letters keeps its place.
    await page.getByText('\u2068Article\u2069 · \u2068').first().waitFor();
    await expectFromRight(page.getByRole('navigation'), page.getByRole('region', { name: 'עבודה' }));
    await expectFromRight(page.getByRole('region', { name: 'עבודה' }), page.getByRole('region', { name: 'תוכן' }));
    await expectFromRight(page.getByRole('heading', { level: 1 }), page.getByRole('button', { name: 'editor' }));
    const link = page.getByRole('navigation').getByRole('link', { name: 'Article' });
    expect((await sides(link)).right).toBeGreaterThan(1200);
    await expectNothingBeside();
  });

  it('mirrors lists', async () => {
    const { page } = editor;
    await editor.open('articles');
    await page.getByRole('cell', { name: HEBREW }).waitFor();
    const headers = page.getByRole('columnheader');
    await expectFromRight(headers.nth(0), headers.nth(1), headers.nth(2), headers.nth(3));
    await expectFromRight(page.getByRole('navigation'), page.getByRole('table'));
    // A text in another direction keeps its full stop at its end.
    expect(await page.getByRole('cell', { name: 'English, too.' }).locator('bdi').count()).toBe(1);
    await expectNothingBeside();
  });

  it('mirrors forms, relations and drawers, and leaves texts in their own direction', async () => {
    const { page } = editor;
    await editor.open('articles/1');
    const title = page.getByRole('textbox', { name: 'Title' });
    await page.getByRole('button', { name: /^\u2068one\u2069, 1 of 2/u }).waitFor();
    await expectFromRight(page.getByRole('navigation'), title, page.getByLabel('Mood'));
    const directionOf = (field: Locator): Promise<string> =>
      field.evaluate((node: any) => (globalThis as any).getComputedStyle(node).direction);
    expect(await directionOf(title)).toBe('rtl');
    expect(await directionOf(page.getByLabel('Slug', { exact: true }))).toBe('ltr');
    await page.getByLabel('Body').fill('English, too.');
    expect(await directionOf(page.getByLabel('Body'))).toBe('ltr');
    // The label of a field is at its beginning.
    const label = await sides(page.locator('label', { hasText: 'Title' }));
    expect((await sides(title)).right - label.right).toBeLessThan(30);
    const row = page.getByRole('group', { name: 'Tags' }).getByRole('listitem').first();
    await expectFromRight(row.getByRole('button').first(), row.getByRole('link'), row.getByRole('button').last());
    await expectNothingBeside();
    await row.getByRole('link').click();
    const drawer = page.getByRole('dialog');
    await drawer.getByLabel('Name').waitFor();
    await expect.poll(async () => (await sides(drawer)).left).toBe(0);
    await page.keyboard.press('Escape');
  });

  it('is mirrored on phones and on the sign-in screen, and is not in other languages', async () => {
    const { page } = editor;
    await page.setViewportSize({ width: 390, height: 900 });
    for (const path of ['', 'articles', 'articles/2']) {
      await editor.open(path);
      await expectNothingBeside();
    }
    await page.setViewportSize({ width: 1280, height: 900 });
    const visitor = await browser.newContext({ locale: 'he' });
    const start = await visitor.newPage();
    await start.goto(`${server.origin}/admin/`);
    await start.getByRole('button', { name: 'כניסה' }).waitFor();
    expect(await start.locator('html').getAttribute('dir')).toBe('rtl');
    await visitor.close();
    await editor.open('articles');
    await page.getByRole('button', { name: 'editor' }).click();
    await page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
    await page.locator('html[dir=ltr][lang=de]').waitFor();
    const headers = page.getByRole('columnheader');
    expect((await sides(headers.nth(2))).left).toBeGreaterThan((await sides(headers.nth(1))).left);
    editor.expectNoComplaints();
  });
});
