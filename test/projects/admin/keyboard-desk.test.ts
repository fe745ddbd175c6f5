/** The less frequent jobs of a desk by keyboard alone: drafts and their history, the trash, plans, people, and what two people do at once. */
import { readFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { addAccount, fullAccess, type Send } from '../../support/full-access.ts';
import { type ServedProject, serveProject } from '../../support/served-project.ts';
import { isSkipped, openBrowser, type Person, signIn, sitDown } from './browser.ts';
import { type Keys, keysOf } from './keys.ts';
import { grantTokens, PASSWORD } from './kiosk.ts';

const SCHEMA = `name: newsroom
databases: [sqlite]
schedules: true
contentTypes:
  article:
    draftAndPublish: true
    history: true
    trash: 30d
    attributes:
      title: { type: string, required: true }
      teaser: { type: string }
      author: { type: relation, relation: manyToOne, target: author }
      cover: { type: media, allowedTypes: [images] }
  author: { attributes: { name: { type: string, required: true } } }
permissions:
  editor: { '*': '*', upload: '*', users: '*', roles: '*', releases: '*', admin: [access] }
`;

/** A PNG of one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe.skipIf(isSkipped)('by keyboard alone, a newsroom', () => {
  let browser: Browser;
  let server: ServedProject;
  let send: Send;
  let editor: Person;
  let keys: Keys;

  beforeAll(async () => {
    [browser, server] = await Promise.all([openBrowser(), serveProject(SCHEMA)]);
    send = await fullAccess(server);
    await addAccount(send, 'editor');
    await grantTokens({ send });
    for (const title of ['One', 'Two', 'Three']) await send('POST', '/api/articles', { data: { title } });
    editor = await sitDown(browser, server, await signIn(browser, server, 'editor'));
    keys = keysOf(editor.page);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });
  afterEach(() => editor.expectNoComplaints());

  const dialog = (name?: string) => editor.page.getByRole('dialog', name === undefined ? {} : { name });
  const told = async (text: string) => await editor.page.getByText(text).first().waitFor();
  const stored = async (id: number) =>
    (await send('GET', `/api/articles/${id}?publicationState=preview&populate=*`)).data.attributes;

  it('compares a draft, discards it, and restores a version', async () => {
    const { page } = editor;
    await editor.open('articles/1');
    await keys.type('Title *', 'One, changed');
    await page.keyboard.press('Control+s');
    await told('Saved');
    await keys.pressButton('What differs');
    await page.getByRole('region', { name: 'What differs' }).getByText('changed').waitFor();
    await keys.pressButton('Discard changes');
    await keys.pressButton('Discard changes', dialog());
    await expect.poll(async () => (await stored(1)).title).toBe('One');
    await dialog().waitFor({ state: 'detached' });
    await keys.pressButton('History');
    await keys.press(dialog().getByRole('button', { name: 'Changed' }));
    await keys.pressButton('Restore this version', dialog());
    await told('The version has been restored');
    expect((await stored(1)).title).toBe('One, changed');
  });

  it('deletes an entry, and restores it from the trash', async () => {
    const { page } = editor;
    await editor.open('articles/3');
    await keys.pressButton('Delete');
    await keys.pressButton('Confirm', dialog());
    await page.getByRole('link', { name: 'One, changed' }).waitFor();
    await keys.pressButton('Trash');
    await keys.pressButton('Restore Three', dialog());
    await told('The entry has been restored');
    expect((await stored(3)).title).toBe('Three');
  });

  it('plans a publication, and makes, publishes and reverts a release', async () => {
    const { page } = editor;
    await editor.open('articles/2');
    await keys.pressButton('Schedule…');
    await keys.reach(dialog().getByLabel('Publish on', { exact: true }));
    // Day and month, in whichever order, year; hours and minutes, of the morning where they have a half of the day.
    await page.keyboard.type('01012998');
    await page.keyboard.press('Tab');
    await page.keyboard.type('1000a');
    await keys.pressButton('Save', dialog());
    await page.getByText('Publishes on 1 Jan 2998').first().waitFor();

    await send('PUT', '/api/articles/3?status=draft', { data: { teaser: 'For spring' } });
    await editor.open('articles/3');
    await keys.pressButton('Add to release…');
    await keys.type('Name of the release', 'Spring', dialog());
    await keys.pressButton('Add', dialog());
    await told('The entry has been added to the release');
    await editor.open('releases');
    await keys.press(page.getByRole('link', { name: 'Spring' }));
    for (const [command, done, teaser] of [
      ['Publish', 'The release has been published', 'For spring'],
      ['Revert', 'The release has been reverted', null],
    ] as const) {
      await keys.pressButton(command);
      await keys.pressButton(command, dialog());
      await told(done);
      expect((await send('GET', '/api/articles/3')).data.attributes.teaser).toBe(teaser);
    }
  });

  it('creates a related entry in a drawer, and a cover from a file', async () => {
    const { page } = editor;
    await editor.open('articles/2');
    await keys.reach(page.getByRole('combobox', { name: 'Author' }));
    await page.keyboard.type('Ada');
    await page.getByRole('option', { name: 'Create “Ada”' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const drawer = dialog('New: Author');
    await drawer.getByRole('textbox', { name: 'Name *' }).waitFor();
    await page.keyboard.press('Control+s');
    await drawer.waitFor({ state: 'detached' });
    await keys.press(page.getByRole('group', { name: 'Cover' }).getByRole('button', { name: /Choose|Add/u }));
    const chooser = page.waitForEvent('filechooser');
    await keys.pressButton(/Upload/u, dialog());
    await (await chooser).setFiles({ name: 'pixel.png', mimeType: 'image/png', buffer: PIXEL });
    await dialog().getByRole('button', { name: 'pixel.png' }).waitFor();
    await keys.pressButton(/^Add 1/u, dialog());
    await dialog().waitFor({ state: 'detached' });
    await page.keyboard.press('Control+s');
    await told('Saved');
    const { author, cover } = await stored(2);
    expect([author.data.attributes.name, cover.data.attributes.name]).toEqual(['Ada', 'pixel.png']);
  });

  it('changes an attribute of several entries, keeps conditions as a view, and saves the list as a file', async () => {
    const { page } = editor;
    await editor.open('articles?filter={}');
    await keys.press(page.getByRole('checkbox', { name: /Select all/u }), 'Space');
    await keys.pressButton('Edit');
    const edit = dialog('Edit the selected entries');
    await keys.choose(edit.getByRole('combobox', { name: 'Attribute' }), 'Teaser');
    await keys.type('Teaser', 'For all', edit);
    await keys.pressButton('Change 3 entries', edit);
    await told('3 entries changed');
    expect((await stored(1)).teaser).toBe('For all');

    await keys.pressButton('Conditions');
    await keys.reach(dialog('Conditions').getByLabel('Value', { exact: true }));
    await page.keyboard.type('Two');
    await keys.pressButton('Apply', dialog('Conditions'));
    await keys.pressButton('Views');
    await keys.reach(page.getByRole('menuitem', { name: 'Save this view …' }), 'ArrowDown');
    await page.keyboard.press('Enter');
    await keys.type('Name of the view', 'Only two', dialog());
    await keys.pressButton('Save', dialog());
    await expect.poll(() => page.locator('tbody').getByRole('row').count(), { timeout: 20_000 }).toBe(1);
    const download = page.waitForEvent('download');
    await keys.pressButton('Export');
    const file = await readFile(await (await download).path(), 'utf8');
    expect(file.trim().split(/\r?\n/u)).toEqual([expect.stringMatching(/title/iu), expect.stringContaining('Two')]);
  });

  it('imports a file', async () => {
    const { page } = editor;
    await editor.open('authors');
    await keys.pressButton('Import CSV');
    const chooser = page.waitForEvent('filechooser');
    await keys.pressButton(/file/iu, dialog());
    await (await chooser).setFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from('name\nBea\nCy\n') });
    await keys.pressButton('Check', dialog());
    await keys.pressButton('Import 2 rows', dialog());
    await told('Created: 2.');
    const { data } = await send('GET', '/api/authors');
    expect(data.map(({ attributes }: any) => attributes.name)).toEqual(['Ada', 'Bea', 'Cy']);
  });

  it('makes a token that may do what is ticked, and gives a role a right', async () => {
    const { page } = editor;
    await editor.open('tokens');
    await keys.type('Name', 'author reader');
    await keys.choose(page.getByRole('combobox', { name: 'Type' }), 'custom');
    const author = page.getByRole('group', { name: 'author', exact: true });
    await keys.press(author.getByRole('checkbox', { name: 'find', exact: true }), 'Space');
    await keys.reach(page.getByRole('button', { name: 'Create' }), 'Shift+Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('row', { name: /author reader custom: author\.find/u }).waitFor();

    await editor.open('roles');
    await keys.press(page.getByRole('link', { name: 'Public' }));
    await keys.press(author.getByRole('checkbox', { name: 'find', exact: true }), 'Space');
    await keys.pressButton('Save');
    await told('Saved');
    expect((await fetch(`${server.origin}/api/authors`)).status).toBe(200);
  });

  it('goes on after the session has ended, and chooses between two changes field by field', async () => {
    const { page } = editor;
    await editor.open('articles/2');
    await keys.type('Teaser', 'mine');
    await page.context().clearCookies();
    await page.keyboard.press('Control+s');
    await keys.reach(page.getByLabel('Password'));
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await told('Saved');
    expect((await stored(2)).teaser).toBe('mine');

    await keys.type('Title *', 'Two of mine');
    await keys.type('Teaser', 'mine again');
    await send('PUT', '/api/articles/2?status=draft', { data: { title: 'Two of others', teaser: 'of others' } });
    await page.keyboard.press('Control+s');
    const conflict = dialog('Someone else has saved changes');
    await keys.pressButton('Use saved Teaser', conflict);
    await keys.pressButton('Overwrite with mine', conflict);
    await conflict.waitFor({ state: 'detached' });
    await expect.poll(() => stored(2)).toMatchObject({ title: 'Two of mine', teaser: 'of others' });
  });
});

describe.skipIf(isSkipped)('by keyboard alone, whoever begins', () => {
  it('creates the first account by the link that the server has printed', async () => {
    const lines: string[] = [];
    const write = process.stdout.write.bind(process.stdout);
    process.stdout.write = (text: string | Uint8Array) => lines.push(String(text)) > 0;
    const link = () => /http:\/\/127\.0\.0\.1:\d+\/admin\/#\/first\?token=[\w-]+/u.exec(lines.join(''))?.[0];
    const [browser, server] = await Promise.all([
      openBrowser(),
      serveProject(SCHEMA, { environment: { LOG_LEVEL: 'info' } }),
    ]);
    try {
      await expect.poll(link).toBeDefined();
      const page = await (await browser.newContext({ locale: 'en-GB' })).newPage();
      const { reach, type } = keysOf(page);
      await page.goto(link() ?? '');
      await type('Email', 'first@example.org');
      await reach(page.getByLabel('Password'));
      await page.keyboard.type(PASSWORD);
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: /^first/u }).waitFor();
    } finally {
      process.stdout.write = write;
      await browser.close();
      await server.close();
    }
  });
});
