/** What the schema says about the panel: order and icons of the menu, forms with rows, tabs and a sidebar, columns, and texts. */
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { addAccount, fullAccess, type Send } from '../../support/full-access.ts';
import { type ServedProject, serveProject } from '../../support/served-project.ts';
import { isSkipped, openBrowser, type Person, signIn, sitDown } from './browser.ts';

const SCHEMA = `name: studio
databases: [sqlite]
admin: { order: [story, zebra, person] }
contentTypes:
  person:
    admin: { group: { en: People, de: Menschen }, icon: person }
    attributes: { name: { type: string } }
  zebra: { admin: { plural: Zebras, group: Animals }, attributes: { name: { type: string } } }
  ant: { admin: { group: Animals }, attributes: { name: { type: string } } }
  story:
    displayName: { en: Story, de: Geschichte }
    admin:
      plural: { en: Stories, de: Geschichten }
      group: Texts
      icon: article
      columns: { writer: [title], '*': [title, status] }
      layout: [[title, slug], { tab: { en: Search, de: Suche }, fields: [seo, keywords] }]
      sidebar: [status]
    attributes:
      status:
        type: enumeration
        enum: [in_review, done]
        enumLabels: { in_review: { en: In review, de: In Prüfung }, done: Done }
      keywords: { type: string }
      notes: { type: text, displayName: { en: Notes, de: Notizen }, description: { en: For editors., de: Für die Redaktion. } }
      seo: { type: component, component: shared.seo }
      title: { type: string, required: true }
      slug: { type: string }
components:
  shared.seo: { attributes: { description: { type: string, maxLength: 5 } } }
permissions:
  editor: { '*': '*', users: '*', admin: [access] }
  writer: { story: '*', admin: [access] }
`;

describe.skipIf(isSkipped)('the panel of a schema with layouts', () => {
  let browser: Browser;
  let server: ServedProject;
  let send: Send;
  let editor: Person;
  let writer: Person;

  async function addPerson(username: string): Promise<Person> {
    await addAccount(send, username);
    return sitDown(browser, server, await signIn(browser, server, username));
  }

  beforeAll(async () => {
    [browser, server] = await Promise.all([openBrowser(), serveProject(SCHEMA)]);
    send = await fullAccess(server);
    await send('POST', '/api/stories', { data: { title: 'First', status: 'in_review' } });
    [editor, writer] = [await addPerson('editor'), await addPerson('writer')];
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });
  afterEach(() => {
    editor.expectNoComplaints();
    writer.expectNoComplaints();
  });

  it('has types and groups in the order of the schema, with icons', async () => {
    await editor.open('');
    const menu = editor.page.getByRole('navigation', { name: 'Content' });
    expect((await menu.getByRole('heading').allInnerTexts()).slice(0, 3)).toEqual(['Texts', 'Animals', 'People']);
    expect((await menu.getByRole('link').allInnerTexts()).slice(0, 4)).toEqual(['Stories', 'Zebras', 'Ant', 'Person']);
    await menu.getByRole('link', { name: 'Stories' }).locator('svg').waitFor();
    expect(await menu.getByRole('link', { name: 'Zebras' }).locator('svg').count()).toBe(0);
    await editor.expectAccessible();
  });

  it('names types in the plural, and their entries in the singular', async () => {
    const { page } = editor;
    await page
      .getByRole('region', { name: 'Content', exact: true })
      .getByRole('link', { name: 'Stories', exact: true })
      .waitFor();
    expect(await page.getByRole('link', { name: 'New entry: Story' }).count()).toBe(2);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('stor');
    await page.getByRole('option', { name: 'Stories', exact: true }).locator('svg').waitFor();
    await page.getByRole('option', { name: 'New: Story', exact: true }).click();
    await page.getByRole('heading', { name: 'Story', exact: true }).waitFor();
    await editor.open('stories');
    await page.getByRole('heading', { name: 'Stories', exact: true }).waitFor();
    await editor.open('zebras');
    await page.getByText('No entries in “Zebras”').waitFor();
    await editor.open('ants');
    await page.getByText('No entries in “Ant”').waitFor();
  });

  it('has rows, tabs and a sidebar in forms, and leads to a field in another tab', async () => {
    const { page } = editor;
    await editor.open('stories/1');
    const boxOf = async (name: string) => (await page.getByLabel(name, { exact: true }).boundingBox())!;
    const [title, slug, notes, status] = await Promise.all(['Title *', 'Slug', 'Notes', 'Status'].map(boxOf));
    expect(slug!.y).toBe(title!.y);
    expect(slug!.x).toBeGreaterThan(title!.x + title!.width);
    expect(notes!.y).toBeGreaterThan(title!.y + title!.height);
    expect(status!.x).toBeGreaterThan(slug!.x + slug!.width);
    expect(await page.getByLabel('Keywords').isVisible()).toBe(false);
    await editor.expectAccessible();
    await page.getByRole('tab', { name: 'Search' }).click();
    await page.getByLabel('Keywords').fill('x');
    await page.getByRole('button', { name: 'Add Seo' }).click();
    await page.getByLabel('Description').fill('too long');
    await page.getByRole('tab', { name: 'General' }).click();
    await page.getByLabel('Title').fill('Changed');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Not saved. Please check').waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.value')).toBe('too long');
    expect(await page.getByRole('tab', { name: 'Search', selected: true }).locator('svg').count()).toBe(1);
    await page.getByLabel('Description').fill('short');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    const { data } = await send('GET', '/api/stories/1?populate=seo');
    expect(data.attributes).toMatchObject({ title: 'Changed', keywords: 'x', seo: { description: 'short' } });
  });

  it('has names, help and values in the language of the panel, and keeps what was typed when it changes', async () => {
    const { page } = editor;
    await editor.open('stories/1');
    await page.getByLabel('Notes').fill('typed');
    await page.getByRole('button', { name: 'editor' }).click();
    await page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
    // All screens are built anew.
    await page.getByText('Ihre nicht gespeicherten Änderungen').waitFor();
    await expect.poll(() => page.getByLabel('Notizen').inputValue()).toBe('typed');
    expect(await page.getByText('Für die Redaktion.').count()).toBe(1);
    expect(await page.getByText('In Prüfung').count()).toBe(1);
    expect(await page.getByRole('tab').allInnerTexts()).toEqual(['Allgemein', 'Suche']);
    const menu = page.getByRole('navigation', { name: 'Inhalte' });
    expect(await menu.getByRole('heading').allInnerTexts()).toContain('Menschen');
    expect(await menu.getByRole('link', { name: 'Geschichten', exact: true }).count()).toBe(1);
    await page.getByRole('button', { name: 'Speichern' }).click();
    await page.getByText('Gespeichert', { exact: true }).waitFor();
    expect((await send('GET', '/api/stories/1')).data.attributes).toMatchObject({
      notes: 'typed',
      status: 'in_review',
    });
    await editor.open('stories');
    await page.getByRole('cell', { name: 'In Prüfung' }).waitFor();
  });

  it('has the columns of the role', async () => {
    const columns = async ({ page }: Person) =>
      (await page.getByRole('columnheader').allInnerTexts()).map((text) => text.trim()).filter(Boolean);
    await Promise.all([writer, editor].map((person) => person.open('stories')));
    expect(await columns(writer)).toEqual(['Title']);
    expect(await columns(editor)).toEqual(['Title', 'Status']);
  });
});
