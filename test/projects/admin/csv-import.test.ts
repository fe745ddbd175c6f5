/** Importing a CSV file: what would be refused is known before anything is written, and what is interrupted is done once. */
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { isSkipped, openBrowser, type Person, signIn, sitDown } from './browser.ts';
import { type Kiosk, openKiosk } from './kiosk.ts';

/** A file as spreadsheets save it on Windows, with semicolons and commas in numbers. */
function fileOf(name: string, lines: readonly string[]) {
  return { name, mimeType: 'text/csv', buffer: Buffer.from(lines.join('\r\n'), 'latin1') };
}

const ROWS = 250;
const HEADER = 'Title;Score;mood;Author;Tags;Remark';

function rowOf(number: number): string {
  return `"Café ${number}";${number % 5},5;${number % 2 === 0 ? 'Calm' : 'loud'};Ada;koa|sql;"two\r\nlines"`;
}

/** Every row has two lines: row 1 begins in line 2, row 2 in line 4. */
const lineOf = (number: number): number => 2 * number;

const BAD: readonly (readonly [number, string, string])[] = [
  [3, 'Café 3;9,5;calm;Ada;koa;"two\r\nlines"', 'Score'],
  [70, 'Café 70;much;calm;Ada;koa;"two\r\nlines"', 'Score'],
  [120, 'Café 120;1,5;angry;Ada;koa;"two\r\nlines"', 'mood'],
  [180, 'Café 180;1,5;calm;Nobody;koa;"two\r\nlines"', 'Author'],
  [249, `${'x'.repeat(81)};1,5;calm;Ada;koa|nothing;"two\r\nlines"`, 'Tags'],
];

describe.skipIf(isSkipped)('importing CSV', () => {
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

  const button = (name: string | RegExp) => editor.page.getByRole('dialog').getByRole('button', { name });
  const total = async (path: string): Promise<number> =>
    (await kiosk.send('GET', `/api/${path}`)).meta.pagination.total;
  async function choose(path: string, file: ReturnType<typeof fileOf>): Promise<void> {
    await editor.open(path);
    await editor.page.getByRole('button', { name: 'Import CSV' }).click();
    await editor.page.getByRole('dialog').locator('input[type=file]').setInputFiles(file);
  }
  const status = () => editor.page.getByRole('dialog').getByRole('status');

  it('names every row that would be refused, by line and column, and writes nothing', async () => {
    const { page } = editor;
    const before = await total('articles?publicationState=preview');
    const rows = Array.from({ length: ROWS }, (_, index) => rowOf(index + 1));
    for (const [number, row] of BAD) rows[number - 1] = row;
    await choose('articles', fileOf('stories.csv', [HEADER, ...rows]));
    await page.getByRole('table', { name: 'Columns of the file' }).waitFor();
    await editor.expectAccessible();
    expect(await page.getByText('No column can become these').textContent()).toContain('Sections');
    // Columns are guessed by names and labels; what is not known is ignored.
    const becomes = await Promise.all(
      HEADER.split(';').map((title) => page.getByRole('combobox', { name: `“${title}” becomes` }).textContent()),
    );
    expect(becomes).toEqual(['Title', 'Score', 'Mood', 'Author', 'Tags', 'Ignored']);
    editor.requests();
    await button('Check').click();
    await expect.poll(() => status().textContent(), { timeout: 30_000 }).toContain('5 rows can’t be imported');
    const refused = await page.getByRole('table', { name: 'Refused rows' }).getByRole('row').allInnerTexts();
    expect(refused.slice(1).map((text) => text.split('\t').slice(0, 2))).toEqual(
      BAD.map(([number, , column]) => [String(lineOf(number)), column]),
    );
    expect(refused[1]).toContain('5');
    // Texts of a relation are looked up together.
    const asked = editor.requests();
    expect(asked.filter((line) => line.startsWith('GET')).length).toBeLessThanOrEqual(4);
    expect(asked.filter((line) => line.includes('_batch')).every((line) => line.includes('"dryRun":true'))).toBe(true);
    await editor.expectAccessible();
    const [download] = await Promise.all([page.waitForEvent('download'), button('Download the list').click()]);
    expect(download.suggestedFilename()).toBe('stories-errors.csv');
    expect(await total('articles?publicationState=preview')).toBe(before);
  });

  it('goes on after a cut connection and a reload, and creates each entry once', { timeout: 120_000 }, async () => {
    const { page } = editor;
    const before = await total('articles?publicationState=preview');
    const good = fileOf('stories.csv', [HEADER, ...Array.from({ length: ROWS }, (_, index) => rowOf(index + 1))]);
    await choose('articles', good);
    await button('Check').click();
    await button('Import 250 rows').waitFor({ timeout: 30_000 });
    // The second batch reaches the server, and its answer is lost; then nothing gets through.
    let batches = 0;
    await page.route(/\/api\/_batch$/u, async (route) => {
      batches += 1;
      if (batches === 1) return await route.continue();
      if (batches === 2) await route.fetch();
      return await route.abort();
    });
    await button('Import 250 rows').click();
    await button('Go on').waitFor({ timeout: 30_000 });
    await page.getByText('No response from the server').waitFor();
    await editor.expectAccessible();
    expect(await total('articles?publicationState=preview')).toBe(before + 200);
    await page.unrouteAll();
    await choose('articles', good);
    await button('Go on').waitFor();
    expect(await status().textContent()).toContain('100 of 250');
    await button('Go on').click();
    await expect.poll(() => status().textContent(), { timeout: 30_000 }).toBe('Created: 250. Updated: 0. Left out: 0.');
    await editor.expectAccessible();
    expect(await total('articles?publicationState=preview')).toBe(before + ROWS);
    const data: any[] = [];
    for (const at of [1, 2, 3]) {
      const query = `filters[title][$startsWith]=Caf%C3%A9&populate=author,tags&pagination[pageSize]=100&pagination[page]=${at}`;
      data.push(...(await kiosk.send('GET', `/api/articles?publicationState=preview&${query}`)).data);
    }
    expect(new Set(data.map(({ attributes }: any) => attributes.title)).size).toBe(ROWS);
    const seven = data.find(({ attributes }: any) => attributes.title === 'Café 7').attributes;
    expect(seven).toMatchObject({
      rating: 2.5,
      mood: 'loud',
      publishedAt: null,
      slug: expect.stringMatching(/^cafe-7/u),
    });
    expect(seven.author.data.attributes.name).toBe('Ada');
    expect(seven.tags.data.map(({ attributes }: any) => attributes.name)).toEqual(['koa', 'sql']);
  });

  it('does nothing again for a file that was imported, unless it is told to', async () => {
    const { page } = editor;
    const file = fileOf('tags.csv', ['name', 'from a file', 'another']);
    const made = () => total('tags?filters[name][$in][0]=from a file&filters[name][$in][1]=another');
    for (const count of [2, 0]) {
      await choose('tags', file);
      await button('Check').click();
      await button('Import 2 rows').click();
      await expect.poll(() => status().textContent()).toContain(`Created: ${count}.`);
      expect(await made()).toBe(2);
    }
    await page.getByText('were imported within the last day').waitFor();
    await button('Import them once more').click();
    await expect.poll(() => status().textContent()).toContain('Created: 2.');
    expect(await made()).toBe(4);
  });

  it('updates entries that have the same value, and creates the others', async () => {
    const { page } = editor;
    const before = await total('authors');
    await choose(
      'authors',
      fileOf('authors.csv', ['name,email', 'Ada,ada@example.com', 'Linus,linus@example.com', 'Ada,']),
    );
    await page.getByRole('combobox', { name: 'Existing entries' }).click();
    await page.getByRole('option', { name: 'Update those with the same value of: Name' }).click();
    await button('Check').click();
    await expect.poll(() => status().textContent()).toContain('1 row can’t be imported');
    await page.getByText('Line 2 has the same value.').waitFor();
    await button('Import 2 rows').click();
    await expect.poll(() => status().textContent()).toBe('Created: 1. Updated: 1. Left out: 1.');
    const { data } = await kiosk.send('GET', '/api/authors?sort=id');
    expect(data.map(({ attributes }: any) => [attributes.name, attributes.email])).toEqual(
      expect.arrayContaining([
        ['Ada', 'ada@example.com'],
        ['Linus', 'linus@example.com'],
      ]),
    );
    expect(await total('authors')).toBe(before + 1);
  });
});
