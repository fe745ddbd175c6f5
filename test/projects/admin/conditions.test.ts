/** Attributes that are visible only where another one has some value: in the form, and when it is saved. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAccount, fullAccess, type Send } from '../../support/full-access.ts';
import { type ServedProject, serveProject } from '../../support/served-project.ts';
import { isSkipped, openBrowser, type Person, saveBy, signIn, sitDown } from './browser.ts';

const SCHEMA = `
name: conditions
databases: [sqlite]
contentTypes:
  link:
    attributes:
      label: { type: string }
      external: { type: boolean, default: false }
      address: { type: string, required: true, visible: { when: { external: true } } }
      hint: { type: string, visible: { unless: { external: true } } }
      target: { type: component, component: shared.target }
components:
  shared.target:
    attributes:
      kind: { type: enumeration, enum: [page, file] }
      size: { type: integer, required: true, visible: { when: { kind: file } } }
permissions:
  editor: { admin: [access], link: [find, findOne, create, update, delete] }
`;

describe.skipIf(isSkipped)('conditions', () => {
  let browser: Browser;
  let server: ServedProject;
  let send: Send;
  let editor: Person;
  beforeAll(async () => {
    [browser, server] = await Promise.all([openBrowser(), serveProject(SCHEMA)]);
    send = await fullAccess(server);
    await addAccount(send, 'editor');
    editor = await sitDown(browser, server, await signIn(browser, server, 'editor'));
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  const field = (name: string) => editor.page.getByLabel(name, { exact: true });
  async function save(): Promise<void> {
    await saveBy(editor.page, () => editor.page.getByRole('button', { name: 'Save' }).click());
  }

  it('show and hide fields as their values change; what is hidden stays stored, and is not required', async () => {
    const { page } = editor;
    const { id } = (await send('POST', '/api/links', { data: { label: 'Home', hint: 'inside' } })).data;
    const stored = async () => (await send('GET', `/api/links/${id}?populate=*`)).data.attributes;
    await editor.open(`links/${id}`);
    await field('Hint').waitFor();
    expect(await field('Address *').count()).toBe(0);

    await field('External').click();
    await field('Address *').waitFor();
    await field('Hint').waitFor({ state: 'hidden' });
    // Required where it is visible.
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Required', { exact: true }).first().waitFor();
    await field('Address *').fill('https://example.org');
    await save();
    expect(await stored()).toMatchObject({ external: true, address: 'https://example.org', hint: 'inside' });

    await field('External').click();
    await field('Hint').waitFor();
    expect(await field('Hint').inputValue()).toBe('inside');
    await save();
    expect(await stored()).toMatchObject({ external: false, address: 'https://example.org', hint: 'inside' });
    editor.expectNoComplaints();
  });

  it('depend on the values of the same component', async () => {
    const { page } = editor;
    const { id } = (await send('POST', '/api/links', { data: { label: 'File' } })).data;
    await editor.open(`links/${id}`);
    await page.getByRole('button', { name: 'Add Target' }).click();
    await field('Kind').click();
    await page.getByRole('option', { name: 'page' }).click();
    // The list is still there while it closes.
    await expect.poll(() => page.getByRole('option').count()).toBe(0);
    expect(await field('Size *').count()).toBe(0);
    await page.getByRole('combobox', { name: 'Kind' }).click();
    await page.getByRole('option', { name: 'file' }).click();
    await field('Size *').fill('3');
    await save();
    const { target } = (await send('GET', `/api/links/${id}?populate=target`)).data.attributes;
    expect(target).toMatchObject({ kind: 'file', size: 3 });
    editor.expectNoComplaints();
  });
});
