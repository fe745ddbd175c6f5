/**
 * Every screen in the widths of a screen, a tablet and a phone, light and dark: nothing is wider than the screen, and axe finds nothing.
 * With SCREENSHOTS, a folder, pictures of all of them are written there, to be looked at (`npm run screens`).
 */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isSkipped, openBrowser, type Person, shoot, signIn, sitDown } from './browser.ts';
import { grantTokens, type Kiosk, openKiosk } from './kiosk.ts';

const SCREENS = [
  '',
  'articles',
  'articles/1',
  'articles/create',
  'values/1',
  'shelves/1',
  'homepage',
  'tags',
  'media',
  'users',
  'users/1',
  'roles',
  'roles/3',
  'tokens',
  'releases',
  'releases/1',
  'audit',
  'webhooks',
  'jobs',
  'account',
  'model',
];

/** What the server of the other tests does not have. */
const MORE = `schedules: true
audit: true
jobs: true
webhooks: [{ url: $SITE_HOOK, secret: $SITE_SECRET }]
`;
const MORE_RIGHTS = `permissions:
  editor: { '*': '*', upload: '*', users: '*', roles: '*', locales: '*', releases: '*', audit: '*', webhooks: '*', jobs: '*', admin: [access] }
`;
const ENVIRONMENT = {
  SITE_HOOK: 'https://site.example/hook',
  SITE_SECRET: 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=',
};

const hasPictures = process.env['SCREENSHOTS'] !== undefined;
const WIDTHS = [1440, 1024, 390];
const COLOURS = ['light', 'dark'] as const;
/** Of the six, those that are looked at without pictures: each width and each colour is among them. */
const CHECKED: readonly string[] = ['1440 light', '1024 dark', '390 light'];

describe.skipIf(isSkipped)('every screen', () => {
  let browser: Browser;
  let kiosk: Kiosk;
  let known: Awaited<ReturnType<typeof signIn>>;

  beforeAll(async () => {
    const change = (schema: string) =>
      schema.replace('locales:', `${MORE}locales:`).replace(/permissions:\n.*\n/u, MORE_RIGHTS);
    [browser, kiosk] = await Promise.all([openBrowser(), openKiosk({ change, environment: ENVIRONMENT })]);
    await grantTokens(kiosk);
    await kiosk.addToken('site');
    await kiosk.send('POST', '/api/releases', {
      name: 'Spring',
      items: [{ type: 'article', id: 2, action: 'publish' }],
    });
    known = await signIn(browser, kiosk, 'editor');
  });
  afterAll(async () => {
    await browser?.close();
    await kiosk?.close();
  });

  const widthOf = ({ page }: Person) => page.evaluate('document.documentElement.scrollWidth');

  for (const width of WIDTHS) {
    for (const colour of COLOURS) {
      const name = `${width} ${colour}`;
      it.skipIf(!hasPictures && !CHECKED.includes(name))(`is usable in ${name}`, { timeout: 300_000 }, async () => {
        const editor = await sitDown(browser, kiosk, known, width);
        await editor.page.emulateMedia({ colorScheme: colour });
        for (const path of SCREENS) {
          await editor.open(path);
          await editor.expectAccessible();
          expect(await widthOf(editor), path).toBeLessThanOrEqual(width);
          await shoot(editor.page, `${path.replaceAll('/', '-') || 'home'}-${colour}`);
        }
        editor.expectNoComplaints();
        await editor.page.context().close();
      });
    }
  }

  it('leaves room for what is edited, at a zoom of 200 %', async () => {
    const editor = await sitDown(browser, kiosk, known, 720);
    await editor.page.setViewportSize({ width: 720, height: 450 });
    await editor.open('articles/1');
    const top = (await editor.page.getByRole('textbox', { name: 'Title *' }).boundingBox())?.y ?? Infinity;
    await shoot(editor.page, 'zoom');
    expect(top).toBeLessThan(300);
    expect(await widthOf(editor)).toBeLessThanOrEqual(720);
    await editor.page.context().close();
  });

  it('prints what is in an entry and in a list, and nothing to press', async () => {
    const editor = await sitDown(browser, kiosk, known);
    const { page } = editor;
    for (const [path, text] of [
      ['articles/1', 'koa'],
      ['articles', 'First story'],
    ] as const) {
      await editor.open(path);
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
      await shoot(page, `print-${path.replaceAll('/', '-')}`);
      await page.getByText(text, { exact: true }).first().waitFor();
      expect(await page.locator('button').filter({ visible: true }).count()).toBe(0);
      expect(await page.evaluate('getComputedStyle(document.documentElement).colorScheme')).toBe('light');
      expect(await page.getByRole('navigation').filter({ visible: true }).count()).toBe(0);
      await page.emulateMedia({ media: 'screen' });
    }
    await page.context().close();
  });
});
