/** The fields and the page of docs/own-fields.md, as they are there. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { blocksOf } from '../../support/document-examples.ts';
import { addAccount, fullAccess, type Send } from '../../support/full-access.ts';
import { type ServedProject, serveProject } from '../../support/served-project.ts';
import { isSkipped, openBrowser, type Person, signIn, sitDown } from './browser.ts';

const documented = (info: string): readonly string[] =>
  blocksOf(info)
    .filter(({ document }) => document === 'docs/own-fields.md')
    .map(({ text }) => text);

const indented = (text: string, width: number): string => text.replaceAll(/^(?=.)/gmu, ' '.repeat(width));

const SCHEMA = `name: atlas
databases: [sqlite]
contentTypes:
  page:
    attributes:
      title: { type: string, required: true }
${indented(documented('yaml attributes').join(''), 6)}
${indented(documented('yaml types').join(''), 2)}
permissions:
  editor: { '*': '*', admin: [access] }
  reader: { page: [find, findOne], category: [find], admin: [access] }
`;

describe.skipIf(isSkipped)('the fields to copy', () => {
  let browser: Browser;
  let server: ServedProject;
  let send: Send;
  let editor: Person;
  let reader: Person;

  async function addPerson(username: string): Promise<Person> {
    await addAccount(send, username);
    return sitDown(browser, server, await signIn(browser, server, username));
  }
  const stored = async () => (await send('GET', '/api/pages/1')).data.attributes;
  const save = async () => {
    await editor.page.getByRole('button', { name: 'Save' }).click();
    await editor.page.getByText('Saved', { exact: true }).waitFor();
  };

  beforeAll(async () => {
    [browser, server] = await Promise.all([openBrowser(), serveProject(SCHEMA)]);
    send = await fullAccess(server);
    const modules = join(server.project, 'src/extensions/admin');
    await mkdir(modules, { recursive: true });
    const names = ['point', 'several', 'icon', 'tree'];
    const parts = documented('ts panel');
    expect(parts).toHaveLength(names.length);
    for (const [at, name] of names.entries()) await writeFile(join(modules, `${name}.ts`), parts[at]!);
    await writeFile(join(modules, 'index.ts'), documented('ts')[0]!);
    await send('POST', '/api/pages', { data: { title: 'First' } });
    for (const name of ['Animals', 'Cats', 'Tigers']) await send('POST', '/api/categories', { data: { name } });
    await send('PUT', '/api/categories/3', { data: { parent: 2 } });
    editor = await addPerson('editor');
    reader = await addPerson('reader');
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });
  afterEach(() => {
    for (const person of [editor, reader]) person.expectNoComplaints();
  });

  it('save what is chosen, show it again, and are read-only for those who may not change it', async () => {
    const { page } = editor;
    await editor.open('pages/1');
    await page.getByLabel('Latitude').fill('52.5');
    await page.getByLabel('Longitude').fill('200');
    expect(await page.getByLabel('Longitude').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('Longitude').fill('-13.4');
    await page.getByRole('checkbox', { name: 'Children' }).check();
    await page.getByRole('checkbox', { name: 'Press' }).check();
    await page.getByRole('radio', { name: 'heart' }).check();
    await editor.expectAccessible();
    await save();
    const chosen = { place: { lat: 52.5, lng: -13.4 }, audience: ['press', 'children'], symbol: 'heart' };
    expect(await stored()).toMatchObject(chosen);
    await page.reload();
    await expect.poll(() => page.getByLabel('Latitude').inputValue()).toBe('52.5');
    expect(await page.locator('circle').getAttribute('transform')).toBe('translate(-13.4 -52.5)');
    expect(await page.getByRole('radio', { name: 'heart' }).isChecked()).toBe(true);
    expect(await page.getByRole('checkbox', { name: 'Press' }).isChecked()).toBe(true);
    expect(await page.getByRole('checkbox', { name: 'Members' }).isChecked()).toBe(false);

    await reader.open('pages/1');
    expect(await reader.page.getByLabel('Latitude').getAttribute('readonly')).not.toBe(null);
    expect(await reader.page.getByRole('radio', { name: 'heart' }).isDisabled()).toBe(true);
    expect(await reader.page.getByRole('checkbox', { name: 'Press' }).isDisabled()).toBe(true);
    await reader.page.locator('circle').waitFor();
  });

  it('take a point by a click, and are emptied', async () => {
    const { page } = editor;
    await editor.open('pages/1');
    const map = page.locator('svg:has(circle)');
    const { width, height } = (await map.boundingBox())!;
    await map.click({ position: { x: width / 2, y: height / 2 } });
    await expect.poll(async () => Math.abs(Number(await page.getByLabel('Latitude').inputValue()))).toBeLessThan(2);
    await page.getByLabel('Latitude').fill('');
    for (const name of ['Children', 'Press']) await page.getByRole('checkbox', { name }).uncheck();
    await page.getByRole('radio').first().check();
    await save();
    expect(await stored()).toMatchObject({ place: null, audience: null, symbol: null });
  });

  it('show a tree, in which entries move with all that is below them, but not below themselves', async () => {
    const { page } = editor;
    await editor.open('-/categories');
    await page.getByRole('button', { name: 'Move Cats' }).click();
    await page.getByRole('button', { name: 'Below Animals' }).waitFor();
    expect(await page.getByRole('button', { name: /^Below /u }).count()).toBe(1);
    await editor.expectAccessible();
    await page.getByRole('button', { name: 'Below Animals' }).click();
    const animals = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Animals' }).first();
    await animals.getByRole('button', { name: 'Cats', exact: true }).waitFor();
    await animals.getByRole('button', { name: 'Tigers', exact: true }).waitFor();
    const { data } = await send('GET', '/api/categories/2?populate=parent');
    expect(data.attributes.parent.data.id).toBe(1);
    await page.getByRole('button', { name: 'Tigers', exact: true }).click();
    await page.waitForURL(/categories\/3$/u);
    expect(await reader.page.getByRole('link', { name: 'Tree of categories' }).count()).toBe(0);
  });
});
