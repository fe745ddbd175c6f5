/** What screen readers are told: the tree of a list, a form and a list of related entries, and what is announced. */
import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isSkipped, openBrowser, type Person, signIn, sitDown } from './browser.ts';
import { type Kiosk, openKiosk } from './kiosk.ts';

/** Addresses, and places for texts that are not there, say nothing to a person. */
const SILENT = /^\s*- (?:\/url: .*|\/placeholder: .*|paragraph|status|img)$/u;

/** The lines of the tree, without their indentation where `isFlat`. */
async function treeOf(part: Locator, isFlat = false): Promise<string> {
  const lines = (await part.ariaSnapshot()).split('\n').filter((line) => !SILENT.test(line));
  return lines.map((line) => (isFlat ? line.trim() : line).replace(/:$/u, '')).join('\n');
}

const LIST = `
- table "Article"
  - rowgroup
    - row "Select all Sort by title ascending Sort by status ascending Sort by author ascending Sort by mood ascending Tags"
      - columnheader "Select all"
        - checkbox "Select all"
      - columnheader "Sort by title ascending"
        - button "Sort by title ascending": Title
      - columnheader "Sort by status ascending"
        - button "Sort by status ascending": Status
      - columnheader "Sort by author ascending"
        - button "Sort by author ascending": Author
      - columnheader "Sort by mood ascending"
        - button "Sort by mood ascending": Mood
      - columnheader "Tags"
  - rowgroup
    - row "Select this row Second story Draft 0"
      - cell "Select this row"
        - checkbox "Select this row"
      - cell "Second story"
        - link "Second story"
      - cell "Draft"
      - cell
      - cell
      - cell "0"
    - row "Select this row First story Published Ada calm 6"
      - cell "Select this row"
        - checkbox "Select this row"
      - cell "First story"
        - link "First story"
      - cell "Published"
      - cell "Ada"
      - cell "calm"
      - cell "6"`;

/** Labels are there twice: as a text, and as the name of the field. */
const FORM = `
- button "Save" [disabled]
- text: String
- textbox "String": text
- paragraph: at least 2 characters
- text: Text
- textbox "Text"
- button "Full screen"
- text: Email
- textbox "Email"
- text: Password
- textbox "Password"
- paragraph: at least 8 characters
- text: Secret
- textbox "Secret"
- paragraph: never shown; leave empty to keep the current value
- text: Integer
- textbox "Integer": "3"
- paragraph: at least 1 · at most 10`;

const CHOICES = `
- switch "Boolean" [checked]
- text: Boolean
- text: Enumeration
- combobox "Enumeration": one
- text: Json
- textbox "Json": "{ \\"a\\": [ 1 ] }"
- text: Checked
- textbox "Checked"
- paragraph: set by the server
- group "List"
- text: List 0
- list "List"
- button "Add Link"
- paragraph: "maximum number of items: 3"`;

const row = (name: string, position: number) => `
    - listitem
      - button "${name}, ${position} of 6. Use the arrow keys, Home and End to move it."
      - link "${name}"
      - button "Move ${name}"
      - button "Remove ${name}"`;

const RELATED = `
- group "Tags"
  - text: Tags 6
  - list "Tags"${['koa', 'sql', 'yaml', 'http', 'json', 'css'].map((name, at) => row(name, at + 1)).join('')}
  - text: Add to Tags
  - combobox "Add to Tags"
  - button "Open"`;

describe.skipIf(isSkipped)('a screen reader', () => {
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

  it('is told of a list', async () => {
    const { page } = editor;
    await editor.open('articles');
    await page.getByRole('row', { name: 'First story' }).getByText('Published').waitFor();
    expect(await treeOf(page.getByRole('table'))).toBe(LIST.trim());
    expect(await treeOf(page.getByRole('group', { name: 'Status' }), true)).toContain('button "All" [pressed]');
  });

  it('is told of a form', async () => {
    await editor.open('values/1');
    const told = await treeOf(editor.page.getByRole('main'), true);
    expect(told).toContain(FORM.trim());
    expect(told).toContain(CHOICES.trim());
  });

  it('is told of related entries, and of what became of them', async () => {
    const { page } = editor;
    await editor.open('articles/1');
    const tags = page.getByRole('group', { name: 'Tags' });
    expect(await treeOf(tags)).toBe(RELATED.trim());
    await tags.getByRole('button', { name: /^koa, 1 of 6/u }).press('ArrowDown');
    await expect.poll(() => tags.getByRole('status').allInnerTexts()).toContain('koa moved to position 2 of 6.');
    await tags.getByRole('button', { name: 'Remove koa' }).press('Enter');
    await expect.poll(() => tags.getByRole('status').allInnerTexts()).toContain('koa removed. Entries in the list: 5.');
  });

  it('is told which field is wrong, and why', async () => {
    const { page } = editor;
    await editor.open('values/1');
    await page.getByRole('textbox', { name: 'Integer', exact: true }).fill('11');
    await page.keyboard.press('Control+s');
    const field = page.getByRole('textbox', { name: 'Integer', exact: true });
    await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
    const described = await field.evaluate((node: any) =>
      node
        .getAttribute('aria-describedby')
        .split(' ')
        .map((id: string) => node.ownerDocument.getElementById(id)?.textContent)
        .join(' '),
    );
    expect(described).toContain('at most 10');
    expect(await field.evaluate((node: any) => node === node.ownerDocument.activeElement)).toBe(true);
  });
});
