/** Drafts beside what visitors see: saved, compared, published, discarded, and told apart in lists. */
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { isSkipped, openBrowser, type Person, shoot, signIn, sitDown } from './browser.ts';
import { type Kiosk, openKiosk } from './kiosk.ts';

describe.skipIf(isSkipped)('drafts', () => {
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

  const attributesOf = async (query = '') =>
    (await kiosk.send('GET', `/api/articles/1?populate=tags,seo${query}`)).data.attributes;
  const tagsOf = ({ tags }: any) => tags.data.map(({ attributes }: any) => attributes.name);
  const button = (name: string) => editor.page.getByRole('button', { name, exact: true });
  const state = (name: string) => editor.page.locator('.MuiToolbar-root').getByText(name, { exact: true });
  it('keeps a draft from visitors, shows what differs, and publishes it', async () => {
    const { page } = editor;
    await editor.open('articles/1');
    await state('Published').waitFor();
    expect(await button('Publish').isDisabled()).toBe(true);
    expect(await button('What differs').count()).toBe(0);
    await page.getByRole('textbox', { name: 'Title *', exact: true }).fill('First story, revised');
    await page.getByRole('button', { name: 'Remove sql' }).click();
    await button('Save draft').click();
    await page.getByText('Saved', { exact: true }).waitFor();
    await state('Modified').waitFor();
    const live = await attributesOf();
    expect([live.title, tagsOf(live)]).toEqual(['First story', expect.arrayContaining(['sql'])]);
    expect((await attributesOf('&publicationState=preview')).title).toBe('First story, revised');

    await button('What differs').click();
    const panel = page.getByRole('region', { name: 'What differs' });
    await panel.getByText('Removed: sql').waitFor();
    expect(await panel.locator('ins').allTextContents()).toEqual(['story, revised']);
    expect(await panel.locator('dt').allTextContents()).toEqual(['Title', 'Tags']);
    await editor.expectAccessible();
    await shoot(editor.page, 'form', [1440, 390]);

    // After a reload it is known from the server.
    await editor.open('articles/1');
    await state('Modified').waitFor();
    await button('Publish').click();
    await state('Published').waitFor();
    const published = await attributesOf();
    expect(published.title).toBe('First story, revised');
    expect(tagsOf(published)).not.toContain('sql');
  });

  it('discards a draft, after it has said what gets lost', async () => {
    const { page } = editor;
    await kiosk.send('PUT', '/api/articles/1?status=draft', { data: { title: 'Not good', seo: { metaTitle: 'New' } } });
    await editor.open('articles/1');
    await state('Modified').waitFor();
    await button('Discard changes').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Not good').waitFor();
    expect(await dialog.locator('dt').allTextContents()).toEqual(['Title', 'Seo']);
    await editor.expectAccessible();
    await shoot(editor.page, 'discard', [1440, 390]);
    // Somebody else saves meanwhile: nothing is lost that was not shown.
    await kiosk.send('PUT', '/api/articles/1?status=draft', { data: { title: 'Better' } });
    await dialog.getByRole('button', { name: 'Discard changes' }).click();
    await page.getByText('Nothing has been discarded').waitFor();
    await expect.poll(() => page.getByRole('textbox', { name: 'Title *', exact: true }).inputValue()).toBe('Better');
    await button('Discard changes').click();
    await dialog.getByText('Better').waitFor();
    await dialog.getByRole('button', { name: 'Discard changes' }).click();
    await state('Published').waitFor();
    expect(await page.getByRole('textbox', { name: 'Title *', exact: true }).inputValue()).toBe('First story, revised');
    expect((await attributesOf('&publicationState=preview')).title).toBe('First story, revised');
  });

  it('tells the states of a list by one more request, and selects entries by them', async () => {
    const { page } = editor;
    await kiosk.send('PUT', '/api/articles/1?status=draft', { data: { title: 'Pending' } });
    await kiosk.send('POST', '/api/articles', { data: { title: 'Third story', slug: 'third-story' } });
    editor.requests();
    await editor.open('articles');
    const row = (title: string) => page.getByRole('row', { name: title });
    await row('Pending').getByText('Modified').waitFor();
    await row('Second story').getByText('Draft', { exact: true }).waitFor();
    await row('Third story').getByText('Published').waitFor();
    const told = editor.requests().filter((line) => line.includes('publicationFilter'));
    expect(told).toEqual([expect.stringMatching(/^GET \/api\/articles\?.*publicationFilter=modified/u)]);
    await editor.expectAccessible();
    await shoot(editor.page, 'list', [1440, 390]);
    for (const [name, title] of [
      ['Modified', 'Pending'],
      ['Drafts', 'Second story'],
      ['Published', 'Third story'],
    ] as const) {
      await page.getByRole('group', { name: 'Status' }).getByRole('button', { name }).click();
      await expect.poll(() => page.locator('tbody tr').allTextContents()).toEqual([expect.stringContaining(title)]);
    }
  });

  it('unpublishes and keeps the draft, and makes new drafts', async () => {
    const { page } = editor;
    await editor.open('articles/1');
    await button('Unpublish').click();
    await state('Draft').waitFor();
    expect(await page.getByRole('textbox', { name: 'Title *', exact: true }).inputValue()).toBe('Pending');
    await expect(attributesOf()).rejects.toThrow();
    await editor.open('articles/create');
    await page.getByRole('textbox', { name: 'Title *', exact: true }).fill('Fourth story');
    await page.getByRole('textbox', { name: 'Slug *' }).fill('fourth-story');
    await button('Save draft').click();
    await page.waitForURL(/articles\/\d+$/u);
    await state('Draft').waitFor();
    await button('Publish').click();
    await state('Published').waitFor();
    const { data } = await kiosk.send('GET', '/api/articles?filters[slug]=fourth-story');
    expect(data).toHaveLength(1);
    // A type without drafts has one button.
    await editor.open('tags/1');
    await button('Save').waitFor();
    expect(await page.getByRole('button', { name: /publish|draft/iu }).count()).toBe(0);
  });
});
