/** Two editors at one entry, each with a page of their own. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isSkipped, openBrowser, type Person, signIn, sitDown } from './browser.ts';
import { type Kiosk, openKiosk } from './kiosk.ts';

describe.skipIf(isSkipped)('two people at one entry', () => {
  let browser: Browser;
  let kiosk: Kiosk;
  let people: readonly Person[] = [];

  beforeAll(async () => {
    [browser, kiosk] = await Promise.all([openBrowser(), openKiosk()]);
    const known = await signIn(browser, kiosk, 'editor');
    people = [await sitDown(browser, kiosk, known), await sitDown(browser, kiosk, known)];
  });
  afterAll(async () => {
    await browser?.close();
    await kiosk?.close();
  });

  it('are told of each other, and whoever comes second chooses field by field', async () => {
    const [ann, bob] = people as readonly [Person, Person];
    const { data } = await kiosk.send('POST', '/api/articles', { data: { title: 'Both', slug: 'both', rating: 1 } });
    const stored = async () =>
      (await kiosk.send('GET', `/api/articles/${data.id}?publicationState=preview`)).data.attributes;
    for (const { open, page } of [ann, bob]) {
      await open(`articles/${data.id}`);
      await page.getByRole('textbox', { name: 'Title *' }).waitFor();
    }
    const change = async ({ page }: Person, title: string, rating: string) => {
      await page.getByRole('textbox', { name: 'Title *' }).fill(title);
      await page.getByLabel('Score').fill(rating);
      await page.getByRole('button', { name: 'Save draft', exact: true }).click();
    };
    await change(ann, 'By Ann', '2');
    await ann.page.getByText('Saved', { exact: true }).waitFor();
    await change(bob, 'By Bob', '3');
    const dialog = bob.page.getByRole('dialog', { name: 'Someone else has saved changes' });
    await dialog.getByRole('cell', { name: 'By Ann' }).waitFor();
    await dialog.getByRole('cell', { name: 'By Bob' }).waitFor();
    expect(await stored()).toMatchObject({ title: 'By Ann', rating: 2 });
    await dialog.getByRole('button', { name: 'Use saved Score' }).click();
    // Ann saves again while Bob looks: that he has not seen.
    await change(ann, 'By Ann again', '2');
    await ann.page.getByText('Saved', { exact: true }).last().waitFor();
    await expect.poll(async () => (await stored()).title).toBe('By Ann again');
    await dialog.getByRole('button', { name: 'Overwrite with mine' }).click();
    await dialog.getByRole('cell', { name: 'By Ann again' }).waitFor();
    await dialog.getByRole('button', { name: 'Overwrite with mine' }).click();
    await bob.page.getByText('Saved', { exact: true }).waitFor();
    expect(await stored()).toMatchObject({ title: 'By Bob', rating: 2 });
    await change(ann, 'Lost', '4');
    const other = ann.page.getByRole('dialog', { name: 'Someone else has saved changes' });
    await other.getByRole('cell', { name: 'By Bob' }).waitFor();
    await other.getByRole('button', { name: 'Discard my changes' }).click();
    await expect.poll(() => ann.page.getByRole('textbox', { name: 'Title *' }).inputValue()).toBe('By Bob');
  });
});
