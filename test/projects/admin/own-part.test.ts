/** A team's own fields, pages and buttons: the examples of docs/admin.md, and fields that fail. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { blocksOf } from '../../support/document-examples.ts';
import { addAccount, fullAccess, type Send } from '../../support/full-access.ts';
import { type ServedProject, serveProject } from '../../support/served-project.ts';
import { isSkipped, openBrowser, type Person, signIn, sitDown } from './browser.ts';
import { PASSWORD } from './kiosk.ts';

const SCHEMA = `name: studio
databases: [sqlite]
contentTypes:
  article:
    attributes:
      title: { type: string, required: true }
      shade: { type: string, regex: '^#[0-9a-f]{6}$', admin: { field: color } }
      teaser: { type: text, maxLength: 20, admin: { field: search-result } }
      place: { type: json, admin: { field: point } }
      count: { type: integer, admin: { field: fails } }
      other: { type: string, admin: { field: nowhere } }
permissions:
  editor: { '*': '*', admin: [access] }
  reader: { article: [find, findOne], admin: [access] }
`;

/** Both examples, and fields that are harder on the panel. */
const INDEX = `import type { Panel, PanelField } from '@content-gen/runtime/panel';
import one from './one.ts';
import two from './two.ts';

const point: PanelField<{ x: number }> = ({ host, setValue }) => {
  const button = document.createElement('button');
  let now: { x: number } | null = null;
  button.type = 'button';
  button.textContent = 'Move';
  button.addEventListener('click', () => {
    if (now) now.x += 1;
    setValue(now ?? { x: 1 });
  });
  host.append(button);
  return { update: ({ value }) => void (now = value) };
};

const fails: PanelField<number> = ({ host, setValue }) => {
  host.textContent = 'There';
  return {
    update({ get }) {
      if (get('title') === 'Set') setValue(1);
      if (get('title') === 'Fail') throw new Error('on purpose');
    },
  };
};

export default {
  fields: { ...one.fields, ...two.fields, point, fails },
  pages: [...two.pages, { path: 'broken', title: 'Broken', show: () => { throw new Error('on purpose'); } }],
  buttons: [...two.buttons, { place: 'entry', label: 'Refused', run: async ({ request }) => void (await request('articles/99')) }],
  logo: 'data:image/svg+xml,' + encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"/>'),
  name: { en: 'The studio', de: 'Das Studio' },
  colors: { light: '#00695c', dark: '#004040' },
} satisfies Panel;
`;

describe.skipIf(isSkipped)('the own part of a team in the panel', () => {
  let browser: Browser;
  let server: ServedProject;
  let send: Send;
  let editor: Person;
  let reader: Person;
  const modules = (): string => join(server.project, 'src/extensions/admin');

  async function addPerson(username: string): Promise<Person> {
    await addAccount(send, username);
    return sitDown(browser, server, await signIn(browser, server, username));
  }
  const store = async (data: object): Promise<number> => (await send('POST', '/api/articles', { data })).data.id;
  const stored = async (id: number) => (await send('GET', `/api/articles/${id}`)).data.attributes;

  beforeAll(async () => {
    [browser, server] = await Promise.all([openBrowser(), serveProject(SCHEMA)]);
    send = await fullAccess(server);
    await mkdir(modules(), { recursive: true });
    const [one, two] = blocksOf('ts panel').map(({ text }) => text);
    await writeFile(join(modules(), 'one.ts'), one!);
    await writeFile(join(modules(), 'two.ts'), two!);
    await writeFile(join(modules(), 'index.ts'), INDEX);
    [editor, reader] = [await addPerson('editor'), await addPerson('reader')];
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  it('has fields that save, follow others, keep what is unsaved, and obey rules and rights', async () => {
    const { page } = editor;
    const id = await store({ title: 'First', place: { x: 1 } });
    const shade = page.locator('input[type=color]');
    const teaser = page.getByRole('textbox', { name: 'Teaser' });
    const shown = page.getByRole('group', { name: 'Teaser' });
    await editor.open(`articles/${id}`);
    await shade.fill('#00aa77');
    await shown.getByText('First').waitFor();
    await page.getByLabel('Title').fill('Changed');
    await shown.getByText('Changed').waitFor();
    await teaser.fill('much too long for this field');
    await page.getByText('must be at most 20 characters').or(page.getByText('At most 20')).first().waitFor();
    await page.getByRole('button', { name: 'Move' }).click();
    await editor.expectAccessible();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Not saved. Please check').waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.value')).toBe('much too long for this field');
    await teaser.fill('short');
    await page.reload();
    await shown.getByText('short').waitFor();
    expect(await shade.inputValue()).toBe('#00aa77');
    editor.requests();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await stored(id)).toMatchObject({ title: 'Changed', shade: '#00aa77', teaser: 'short', place: { x: 2 } });
    await teaser.fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(async () => (await stored(id)).teaser).toBe(null);

    await reader.open(`articles/${id}`);
    expect(await reader.page.locator('input[type=color]').isDisabled()).toBe(true);
    await reader.page.getByRole('button', { name: 'Move' }).click();
    expect(await reader.page.getByText('Unsaved changes').count()).toBe(0);
    expect(await reader.page.getByRole('button', { name: 'Refused' }).count()).toBe(1);
    expect(await reader.page.getByRole('button', { name: 'Upper case' }).count()).toBe(0);
    expect(await reader.page.getByRole('link', { name: 'Statistics' }).count()).toBe(0);
    await reader.open('-/statistics');
    await reader.page.getByText('Not Found').waitFor();
    for (const person of [reader, editor]) person.expectNoComplaints();
  });

  it('goes on when a field fails, sets what it may not, or is missing', async () => {
    const { page } = editor;
    for (const title of ['Fail', 'Set']) {
      const id = await store({ title: 'Fine' });
      await editor.open(`articles/${id}`);
      await page.getByText('There', { exact: true }).waitFor();
      await page.getByText('The field “nowhere” is not defined').waitFor();
      await page.getByLabel('Title').fill(title);
      await page.getByText('“Count” has failed.').waitFor();
      await page.getByRole('button', { name: 'Use the standard field' }).click();
      await page.getByLabel('Count').fill('7');
      await page.getByLabel('Other').fill('standard');
      await editor.expectAccessible();
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved', { exact: true }).waitFor();
      expect(await stored(id)).toMatchObject({ title, count: 7, other: 'standard' });
    }
  });

  it('has pages and buttons, which may fail', async () => {
    const { page } = editor;
    const id = await store({ title: 'button' });
    await editor.open(`articles/${id}`);
    await page.getByRole('img', { name: 'The studio' }).waitFor();
    const button = page.getByRole('button', { name: 'Upper case' });
    expect(await button.evaluate((node: any) => (globalThis as any).getComputedStyle(node).color)).toBe(
      'rgb(0, 105, 92)',
    );
    await button.click();
    await page.getByText('Unsaved changes').waitFor();
    await page.getByRole('button', { name: 'Refused' }).click();
    await page.getByText('This does not exist any more.').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await stored(id)).toMatchObject({ title: 'BUTTON' });
    await editor.open('articles');
    await page.getByRole('checkbox').nth(1).check();
    await page.getByRole('button', { name: 'Count', exact: true }).last().click();
    await page.getByText('1 selected', { exact: true }).waitFor();
    await editor.expectAccessible();
    await page.getByRole('link', { name: 'Statistics' }).click();
    await page.getByText(/^Articles: \d/u).waitFor();
    expect(page.url()).toBe(`${server.origin}/admin/-/statistics`);
    await editor.expectAccessible();
    await page.getByRole('link', { name: 'Broken' }).click();
    await page.getByText('“Broken” has failed.').waitFor();
    await page.getByRole('button', { name: 'editor' }).click();
    await page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
    await page.getByRole('link', { name: 'Statistik' }).waitFor();
    await page.getByRole('button', { name: 'editor' }).click();
    await page.getByRole('menuitemradio', { name: 'English' }).click();
  });

  it('has the name, the logo and the colours of the team on the sign-in screen, in both themes', async () => {
    const colorOf = (visitor: Person) =>
      visitor.page
        .getByRole('button', { name: 'Sign in' })
        .evaluate((node: any) => (globalThis as any).getComputedStyle(node).backgroundColor);
    const signInScreen = async (colorScheme: 'light' | 'dark'): Promise<Person> => {
      const visitor = await sitDown(browser, server, { cookies: [], origins: [] });
      await visitor.page.emulateMedia({ colorScheme });
      await visitor.page.goto(`${server.origin}/admin/`);
      await visitor.page.getByText('The studio', { exact: true }).waitFor();
      await expect.poll(() => visitor.page.locator('img').evaluate((image: any) => image.naturalWidth)).toBe(40);
      return visitor;
    };
    const light = await signInScreen('light');
    expect(await colorOf(light)).toBe('rgb(0, 105, 92)');
    await light.expectAccessible('body');
    const dark = await signInScreen('dark');
    // The colour of the team is too dark for text on this background.
    expect(await colorOf(dark)).not.toBe('rgb(0, 64, 64)');
    await dark.expectAccessible('body');
    await dark.page.getByLabel('Email or username').fill('reader');
    await dark.page.getByLabel('Password').fill(PASSWORD);
    await dark.page.getByRole('button', { name: 'Sign in' }).click();
    await dark.page.getByRole('banner').getByRole('heading', { name: 'The studio' }).waitFor();
    for (const person of [light, dark]) person.expectNoComplaints();
  });

  it('does not keep anybody from signing in while its module does not load', async () => {
    const { page } = await sitDown(browser, server, { cookies: [], origins: [] });
    await page.route('**/extensions/*/index.js', () => undefined);
    await page.goto(`${server.origin}/admin/`);
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await page.getByText('The studio').count()).toBe(0);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  it('reloads when a module changes during development, and opens without it if it does not load', async () => {
    const { page } = editor;
    const id = await store({ title: 'Hot' });
    await editor.open(`articles/${id}`);
    await page.getByText('There', { exact: true }).waitFor();
    await page.getByLabel('Title').fill('Unsaved');
    page.on('dialog', (dialog) => void dialog.accept());
    await writeFile(join(modules(), 'index.ts'), INDEX.replace("'There'", "'Here'"));
    await page.getByText('Here', { exact: true }).waitFor();
    await expect.poll(() => page.getByLabel('Title').inputValue()).toBe('Unsaved');
    await writeFile(join(modules(), 'index.ts'), 'throw new Error("on purpose");');
    await page.getByText('Own fields, pages and buttons could not be loaded.').first().waitFor();
    await expect.poll(() => page.getByLabel('Title').inputValue()).toBe('Unsaved');
    expect(await page.getByLabel('Shade').inputValue()).toBe('');
  });
});
