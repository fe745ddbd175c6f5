/** The media library in the panel: folders, moves and texts of several files, by keyboard alone. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Browser, Locator, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { addAccount, fullAccess, type Send } from '../../support/full-access.ts';
import { type ServedProject, serveProject } from '../../support/served-project.ts';
import { isSkipped, openBrowser, type Person, shoot, signIn, sitDown } from './browser.ts';

const SCHEMA = `name: gallery
databases: [sqlite]
uploads: { folders: true, focalPoints: true, crops: true, placeholders: true, resumable: true, tags: true, sizes: { card: { width: 120, height: 120, fit: cover } } }
contentTypes:
  picture: { attributes: { title: { type: string }, image: { type: media } } }
permissions:
  editor: { '*': '*', upload: '*', admin: [access] }
`;

describe.skipIf(isSkipped)('the media library', () => {
  let browser: Browser;
  let server: ServedProject;
  let send: Send;
  let editor: Person;
  let phone: Person;

  beforeAll(async () => {
    [browser, server] = await Promise.all([openBrowser(), serveProject(SCHEMA)]);
    send = await fullAccess(server);
    await addAccount(send, 'editor');
    const session = await signIn(browser, server, 'editor');
    [editor, phone] = [await sitDown(browser, server, session, 1440), await sitDown(browser, server, session, 390)];
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });
  afterEach(() => {
    editor.expectNoComplaints();
    phone.expectNoComplaints();
  });

  const press = async (target: Locator, key = 'Enter'): Promise<void> => {
    await target.focus();
    await target.press(key);
  };
  const settled = async (page: Page): Promise<void> => {
    const opacity = () => page.evaluate("getComputedStyle(document.querySelector('.MuiDialog-container')).opacity");
    await expect.poll(opacity).toBe('1');
  };

  it('has folders, into which files are uploaded and moved', async () => {
    const { page } = editor;
    await editor.open('media');
    await press(page.getByRole('button', { name: 'New folder' }));
    await page.keyboard.type('Press');
    await page.keyboard.press('Enter');
    await press(page.getByRole('button', { name: 'Press', exact: true }));
    await page.locator('[aria-current=page]').getByText('Press').waitFor();
    const input = page.locator('input[type=file]').first();
    for (const [name, red] of [
      ['sea.png', 20],
      ['town.png', 200],
    ] as const) {
      const image = sharp({ create: { width: 600, height: 400, channels: 3, background: { r: red, g: 90, b: 160 } } });
      await input.setInputFiles({ name, mimeType: 'image/png', buffer: await image.png().toBuffer() });
      await page.getByRole('button', { name }).waitFor();
    }
    await press(page.getByRole('button', { name: 'New folder' }));
    await page.keyboard.type('2026');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: '2026' }).waitFor();
    await shoot(page, 'library');
    await editor.expectAccessible();

    await press(page.getByRole('button', { name: 'Select several' }));
    await press(page.getByRole('button', { name: 'sea.png' }), 'Space');
    await press(page.getByRole('button', { name: 'town.png' }), 'Space');
    await page.getByText('2 files selected').waitFor();
    await press(page.getByRole('button', { name: 'Move', exact: true }));
    const dialog = page.getByRole('dialog');
    await press(dialog.getByRole('combobox', { name: 'Folder' }));
    await press(page.getByRole('option', { name: 'Press / 2026' }));
    await settled(page);
    await shoot(page, 'move');
    await editor.expectAccessible();
    await press(dialog.getByRole('button', { name: 'Move' }));
    await page.getByText('No files').waitFor();
    // A search finds what is in the folders below.
    await page.getByLabel('Search files').fill('sea');
    await page.getByRole('button', { name: 'sea.png' }).waitFor();
    await page.getByLabel('Search files').fill('');
    await press(page.getByRole('button', { name: '2026' }));
    await page.getByRole('button', { name: 'town.png' }).waitFor();
    await press(page.getByRole('button', { name: 'Delete folder' }));
    await press(page.getByRole('button', { name: 'Confirm' }));
    await page.getByText('The folder is not empty.').waitFor();
    await press(page.getByRole('button', { name: 'Rename or move folder' }));
    const inside = page.getByRole('dialog');
    await inside.getByLabel('Name').fill('press');
    await press(inside.getByRole('combobox', { name: 'In' }));
    await press(page.getByRole('option', { name: 'Top level' }));
    await press(inside.getByRole('button', { name: 'Save' }));
    await inside.getByText('Another folder there has this name').waitFor();
    await inside.getByLabel('Name').fill('Archive');
    await press(inside.getByRole('button', { name: 'Save' }));
    await inside.waitFor({ state: 'hidden' });
    expect(await send('GET', '/api/upload/folders')).toMatchObject([
      { name: 'Archive', parent: null },
      { name: 'Press', parent: null },
    ]);
    await press(page.getByRole('button', { name: 'sea.png' }));
    await page.getByRole('combobox', { name: 'Folder' }).getByText('Archive').waitFor();
    await shoot(page, 'details');
    await editor.expectAccessible();
    const point = page.getByRole('button', { name: 'Focal point: 50 % from the left, 50 % from the top' });
    await point.focus();
    for (const key of ['ArrowLeft', 'ArrowLeft', 'Shift+ArrowUp']) await page.keyboard.press(key);
    await page.getByRole('button', { name: 'Focal point: 48 % from the left, 40 % from the top' }).waitFor();
    await press(page.getByRole('button', { name: 'Save' }));
    await page.getByText('Saved').first().waitFor();
    const [file] = await send('GET', '/api/upload/files?filters[name]=sea.png');
    expect(file.focalPoint).toEqual({ x: 48, y: 40 });
    expect(file.formats.card.url).toMatch(/card_[0-9a-f]{32}_[0-9a-f]{10}\.png$/u);
    const image = page.getByRole('dialog').locator('img');
    const { width = 0, height = 0 } = (await image.boundingBox()) ?? {};
    await image.click({ position: { x: width * 0.25, y: height * 0.75 } });
    await page.getByRole('button', { name: 'Focal point: 25 % from the left, 75 % from the top' }).waitFor();
    await press(page.getByRole('button', { name: 'Use the middle' }));
    await point.waitFor();
  });

  it('crops an image by numbers and by dragging, beside its focal point', async () => {
    const { page } = editor;
    const dialog = page.getByRole('dialog');
    await editor.open('media');
    await press(page.getByRole('button', { name: 'Archive' }));
    await press(page.getByRole('button', { name: 'sea.png' }));
    const group = dialog.getByRole('group', { name: 'Crop' });
    const values = async () => {
      const labels = ['Left (%)', 'Top (%)', 'Width (%)', 'Height (%)'];
      return Promise.all(labels.map(async (label) => Number(await group.getByLabel(label).inputValue())));
    };
    expect(await values()).toEqual([0, 0, 100, 100]);
    await group.getByLabel('Width (%)').focus();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('40');
    await group.getByLabel('Left (%)').focus();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('75');
    for (const key of ['ArrowUp', 'ArrowUp', 'ArrowDown']) await page.keyboard.press(key);
    // What has no room is smaller.
    expect(await values()).toEqual([76, 0, 23, 100]);
    await shoot(page, 'crop');
    await editor.expectAccessible();
    await press(dialog.getByRole('button', { name: 'Save' }));
    await page.getByText('Saved').first().waitFor();
    const read = async () => (await send('GET', '/api/upload/files?filters[name]=sea.png'))[0];
    const typed = await read();
    expect(typed.crop).toEqual({ x: 76, y: 0, width: 23, height: 100 });
    expect([typed.formats.thumbnail.width, typed.formats.thumbnail.height]).toEqual([54, 156]);
    expect(typed.focalPoint).toEqual({ x: 48, y: 40 });

    const image = dialog.locator('img');
    await image.scrollIntoViewIfNeeded();
    const { x, y, width, height } = (await image.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await page.mouse.move(x + width * 0.75, y + height * 0.5);
    await page.mouse.down();
    await page.mouse.move(x + width * 0.5, y + height * 0.75, { steps: 4 });
    await page.mouse.move(x + width * 0.25, y + height, { steps: 4 });
    await page.mouse.up();
    const drawn = await values();
    const wanted = [25, 50, 50, 50];
    expect(drawn.every((percent, index) => Math.abs(percent - (wanted[index] ?? 0)) < 2)).toBe(true);
    // A click is none: it sets the point.
    await dialog.getByRole('button', { name: 'Focal point: 48 % from the left, 40 % from the top' }).waitFor();
    await image.click({ position: { x: width * 0.5, y: height * 0.25 } });
    await dialog.getByRole('button', { name: 'Focal point: 50 % from the left, 25 % from the top' }).waitFor();
    expect(await values()).toEqual(drawn);
    await press(group.getByRole('button', { name: 'Use the whole image' }));
    expect(await values()).toEqual([0, 0, 100, 100]);
    await press(dialog.getByRole('button', { name: 'Save' }));
    await expect.poll(async () => (await read()).crop).toBeNull();
  });

  it('shows placeholders while images load, and not behind them', async () => {
    const { page } = editor;
    const held: (() => void)[] = [];
    await page.route(/\/uploads\/thumbnail_/u, async (route) => {
      await new Promise<void>((resolve) => held.push(resolve));
      await route.continue();
    });
    await editor.open('media');
    await press(page.getByRole('button', { name: 'Archive' }));
    const image = page.getByRole('button', { name: 'sea.png' }).locator('img');
    const behind = () => image.evaluate((element) => (element as any).style.backgroundImage as string);
    await expect.poll(behind).toMatch(/^url\("data:image\/png;base64,/u);
    for (const go of held) go();
    await expect.poll(behind).toBe('');
    await page.unroute(/\/uploads\/thumbnail_/u);
  });

  it('describes several files in one table', async () => {
    const { page } = phone;
    await phone.open('media');
    await press(page.getByRole('button', { name: 'Archive' }));
    await page.getByRole('button', { name: 'town.png' }).waitFor();
    await shoot(page, 'library');
    await press(page.getByRole('button', { name: 'Select several' }));
    await press(page.getByRole('button', { name: 'sea.png' }), 'Space');
    await press(page.getByRole('button', { name: 'town.png' }), 'Space');
    await press(page.getByRole('button', { name: 'Edit texts' }));
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Alternative text of sea.png').fill('The sea at noon');
    await page.keyboard.press('Tab');
    await page.keyboard.type('A town');
    await settled(page);
    await shoot(page, 'texts');
    await phone.expectAccessible();
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'hidden' });
    const files = await send('GET', '/api/upload/files?sort=name');
    expect(files.map((file: any) => file.alternativeText)).toEqual(['The sea at noon', 'A town']);
  });

  it('files get tags, one or many, and are found by them', async () => {
    const { page } = editor;
    await editor.open('media');
    await press(page.getByRole('button', { name: 'Archive' }));
    await press(page.getByRole('button', { name: 'sea.png' }));
    const details = page.getByRole('dialog');
    await details.getByRole('combobox', { name: 'Tags' }).focus();
    for (const tag of ['Coast', 'press']) {
      await page.keyboard.type(tag);
      await page.keyboard.press('Enter');
      await details.getByRole('button', { name: tag, exact: true }).waitFor();
    }
    await shoot(page, 'tags');
    await editor.expectAccessible();
    await press(details.getByRole('button', { name: 'Save' }));
    await page.getByText('Saved').first().waitFor();
    await press(details.getByLabel('Name'), 'Escape');
    await details.waitFor({ state: 'hidden' });
    await press(page.getByRole('button', { name: 'Select several' }));
    await press(page.getByRole('button', { name: 'sea.png' }), 'Space');
    await press(page.getByRole('button', { name: 'town.png' }), 'Space');
    await press(page.getByRole('button', { name: 'Tags', exact: true }));
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Remove tags' }).focus();
    // A known one is offered.
    await page.keyboard.type('pre');
    await page.getByRole('option', { name: 'press' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await dialog.getByRole('combobox', { name: 'Add tags' }).focus();
    await page.keyboard.type('2026');
    await page.keyboard.press('Enter');
    await settled(page);
    await shoot(page, 'tags-many');
    await editor.expectAccessible();
    await press(dialog.getByRole('button', { name: 'Save' }));
    await dialog.waitFor({ state: 'hidden' });
    const files = await send('GET', '/api/upload/files?sort=name&tag=2026');
    expect(files.map(({ tags }: any) => tags)).toEqual([['Coast', '2026'], ['2026']]);
    await page.getByRole('combobox', { name: 'Tags' }).focus();
    await page.keyboard.type('coa');
    await page.getByRole('option', { name: 'Coast' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'town.png' }).waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'sea.png' }).waitFor();
    await page.keyboard.press('Escape');
    await shoot(page, 'tags-filter');
    const { width: left = 0 } = (await page.getByLabel('Search files').boundingBox()) ?? {};
    expect(left).toBeGreaterThan(200);
    await editor.expectAccessible();
  });

  it('goes on with an upload that was cut off, by itself and after a reload of the page', async () => {
    const { page } = editor;
    const bytes = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(30 * 1024 * 1024)]);
    const folder = await mkdtemp(join(tmpdir(), 'media-'));
    const report = join(folder, 'report.pdf');
    await writeFile(report, bytes);
    // Slow enough to be cut in between.
    const pattern = '**/api/upload/resumable/*';
    await page.route(pattern, async (route) => {
      await setTimeout(300);
      await route.continue();
    });
    const parts: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PATCH') parts.push(request.headers()['upload-offset'] ?? '');
    });
    await editor.open('media');
    await page.locator('input[type=file]').first().setInputFiles(report);
    await expect.poll(() => parts.length, { timeout: 20_000 }).toBeGreaterThan(1);
    await page.context().setOffline(true);
    await page.getByText('report.pdf: waiting for the connection').waitFor();
    await shoot(page, 'upload-waiting');
    await page.context().setOffline(false);
    const before = parts.length;
    await expect.poll(() => parts.length, { timeout: 20_000 }).toBeGreaterThan(before + 1);
    expect(Number(parts[before])).toBeGreaterThan(0);
    // The connection is cut by the reload: the same file goes on where it was.
    page.once('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await page.getByText('Media').first().waitFor();
    await page.unroute(pattern);
    const later = parts.length;
    await page.locator('input[type=file]').first().setInputFiles(report);
    await page.getByRole('button', { name: 'report.pdf' }).waitFor();
    expect(Number(parts[later])).toBeGreaterThan(0);
    const found = await send('GET', '/api/upload/files?filters[name]=report.pdf');
    expect(found).toHaveLength(1);
    const stored = Buffer.from(await (await fetch(server.origin + found[0].url)).arrayBuffer());
    expect(stored.equals(bytes)).toBe(true);
    expect(await page.evaluate("localStorage.getItem('content-gen.uploads')")).toBe('[]');
    await rm(folder, { recursive: true });
  });
});
