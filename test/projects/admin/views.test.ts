/** What lists are narrowed to: views of the schema for roles, and conditions, also within components. */
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { addAccount, fullAccess, type Send } from '../../support/full-access.ts';
import { type ServedProject, serveProject } from '../../support/served-project.ts';
import { isSkipped, openBrowser, type Person, shoot, signIn, sitDown } from './browser.ts';

const SCHEMA = `name: desk-views
databases: [sqlite]
contentTypes:
  story:
    draftAndPublish: true
    creatorFields: true
    admin:
      columns: [title, stage]
      views:
        review:
          displayName: { en: To review, de: Zu prüfen }
          filters: { stage: [in_review, checked] }
          sort: -writer
          columns: [title, writer]
          roles: [editor]
        mine: { displayName: Mine, filters: { createdBy: $user } }
        changed: { displayName: Changed, state: modified }
    attributes:
      title: { type: string, required: true }
      stage: { type: enumeration, enum: [idea, in_review, checked] }
      writer: { type: relation, relation: manyToOne, target: writer }
      seo: { type: component, component: shared.seo }
      links: { type: component, component: shared.link, repeatable: true }
  writer: { attributes: { name: { type: string } } }
components:
  shared.seo:
    displayName: SEO
    attributes:
      description: { type: text }
      noindex: { type: boolean }
      card: { type: component, component: shared.card }
  shared.card: { attributes: { kind: { type: enumeration, enum: [small, large] } } }
  shared.link: { attributes: { label: { type: string }, to: { type: relation, relation: manyToOne, target: writer } } }
permissions:
  editor: { story: '*', writer: '*', users: [find], admin: [access] }
  reader:
    story: [findOne, preview, { find: { where: { stage: { $ne: checked } } } }]
    admin: [access]
`;

describe.skipIf(isSkipped)('lists', () => {
  let browser: Browser;
  let server: ServedProject;
  let send: Send;
  let editor: Person;
  let reader: Person;

  async function addPerson(username: string): Promise<Person> {
    await addAccount(send, username);
    return sitDown(browser, server, await signIn(browser, server, username));
  }

  beforeAll(async () => {
    [browser, server] = await Promise.all([openBrowser(), serveProject(SCHEMA)]);
    send = await fullAccess(server);
    const create = async (path: string, data: object): Promise<number> =>
      (await send('POST', `/api/${path}`, { data })).data.id;
    const writer = await create('writers', { name: 'Ada' });
    await create('writers', { name: 'Bea' });
    await create('stories', { title: 'Idea', stage: 'idea', seo: { description: 'A plan' } });
    await create('stories', { title: 'Reviewed', stage: 'in_review', writer, links: [{ label: 'Home', to: writer }] });
    await create('stories', { title: 'Checked', stage: 'checked', writer: 2, seo: { card: { kind: 'large' } } });
    [editor, reader] = [await addPerson('editor'), await addPerson('reader')];
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });
  afterEach(() => {
    editor.expectNoComplaints();
    reader.expectNoComplaints();
  });

  const titles = async ({ page }: Person) => await page.locator('tbody').getByRole('link').allTextContents();
  // A list shows what it had until the new answer is there.
  const expectTitles = (person: Person) => expect.poll(() => titles(person), { timeout: 20_000 });
  const columns = async ({ page }: Person) =>
    (await page.getByRole('columnheader').allInnerTexts()).map((text) => text.trim()).filter(Boolean);
  const view = ({ page }: Person, name: string) =>
    page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name, exact: true });

  it('have views of the schema, with filters, an order and columns', async () => {
    const { page } = editor;
    await editor.open('stories');
    await expectTitles(editor).toEqual(['Checked', 'Reviewed', 'Idea']);
    expect(await view(editor, 'All').getAttribute('aria-current')).toBe('page');
    await view(editor, 'To review').focus();
    await page.keyboard.press('Enter');
    await expectTitles(editor).toEqual(['Checked', 'Reviewed']);
    expect(await view(editor, 'To review').getAttribute('aria-current')).toBe('page');
    expect(await columns(editor)).toEqual(['Title', 'Status', 'Writer']);
    await editor.expectAccessible();
    await shoot(editor.page, 'view', [1440, 390]);
    // Narrowed further, and with another order.
    await page.getByRole('button', { name: 'Published', exact: true }).click();
    await page.getByRole('button', { name: 'Sort by Writer ascending' }).click();
    await expectTitles(editor).toEqual(['Reviewed', 'Checked']);
    await page.getByRole('textbox', { name: 'Search' }).fill('Reviewed');
    await expectTitles(editor).toEqual(['Reviewed']);
    // Its columns are chosen for it alone, and stay with a reload.
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Writer' }).click();
    await page.keyboard.press('Escape');
    await page.reload();
    await page.getByRole('link', { name: 'Reviewed' }).waitFor();
    await expectTitles(editor).toEqual(['Reviewed']);
    expect(await columns(editor)).toEqual(['Title', 'Status']);
    await view(editor, 'All').click();
    await expectTitles(editor).toEqual(['Checked', 'Reviewed', 'Idea']);
    expect(await columns(editor)).toEqual(['Title', 'Status', 'Stage']);
  });

  it('have views of who looks and of a state, which the palette opens', async () => {
    const { page } = editor;
    await editor.open('stories/create');
    await page.getByLabel('Title *').fill('My own');
    await page.keyboard.press('Control+s');
    await page.waitForURL(/stories\/\d+$/u);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Type a name, a title or a command' }).fill('story mine');
    await page.getByRole('option', { name: 'Story · Mine' }).waitFor();
    await page.keyboard.press('Enter');
    await expectTitles(editor).toEqual(['My own']);
    await view(editor, 'Changed').click();
    await page.getByText('No results found').or(page.getByText('No entries in')).first().waitFor();
    expect(await page.getByRole('button', { name: 'Published', exact: true }).count()).toBe(0);
    // One comes back to the view by the menu.
    await page.getByRole('navigation', { name: 'Content' }).getByRole('link', { name: 'Writer' }).click();
    await page.waitForURL(/writers/u);
    await page.getByRole('navigation', { name: 'Content' }).getByRole('link', { name: 'Story' }).click();
    await expect.poll(() => view(editor, 'Changed').getAttribute('aria-current')).toBe('page');
  });

  it('have conditions on components, and on lists of them', async () => {
    const { page } = editor;
    await editor.open('stories?filter={}');
    await page.getByRole('button', { name: 'Conditions' }).click();
    const dialog = page.getByRole('dialog', { name: 'Conditions' });
    await dialog.waitFor();
    const choose = async (label: string, option: string) => {
      await dialog.getByLabel(label, { exact: true }).click();
      await page.getByRole('option', { name: option, exact: true }).click();
    };
    const only = async (attribute: string, condition: string, value: string | undefined, found: readonly string[]) => {
      if (!(await dialog.isVisible())) await page.getByRole('button', { name: 'Conditions (1)' }).click();
      await choose('Attribute', attribute);
      await choose('Condition', condition);
      const field = dialog.getByLabel('Value', { exact: true });
      if (value !== undefined && (await field.getAttribute('role')) === 'combobox') {
        await field.click();
        await page.getByRole('option', { name: value, exact: true }).click();
      } else if (value !== undefined) await field.fill(value);
      await dialog.getByRole('button', { name: 'Apply' }).click();
      await dialog.waitFor({ state: 'hidden' });
      await expectTitles(editor).toEqual(found);
    };
    await only('Seo › Description', 'contains', 'plan', ['Idea']);
    await only('Seo › Card › Kind', 'is', 'large', ['Checked']);
    await only('Seo › Card › Kind', 'is not', 'large', ['My own', 'Reviewed', 'Idea']);
    await only('Seo', 'is empty', undefined, ['My own', 'Reviewed']);
    await only('Links › Label', 'is', 'Home', ['Reviewed']);
    await only('Links › Label', 'is not', 'Home', ['My own', 'Checked', 'Idea']);
    await only('Links › Label', 'is empty', undefined, ['My own', 'Checked', 'Idea']);
    await only('Links › To', 'is', 'Ada', ['Reviewed']);
    await page.getByRole('button', { name: 'Conditions (1)' }).click();
    await editor.expectAccessible();
    await shoot(editor.page, 'conditions', [1440, 390]);
    await dialog.getByRole('button', { name: 'Remove all' }).click();
    await expectTitles(editor).toEqual(['My own', 'Checked', 'Reviewed', 'Idea']);
  });

  it('have no views of other roles, nor by what a role may not read, and within a view what rules show', async () => {
    await reader.open('stories');
    expect(await reader.page.getByRole('navigation', { name: 'Views' }).getByRole('link').allInnerTexts()).toEqual([
      'All',
      'Changed',
    ]);
    await reader.open('stories?filter={"__view":"review"}');
    await expectTitles(reader).toEqual(['Reviewed', 'Idea']);
  });
});
