/** The admin page for roles whose rules reach only some entries: it shows, disables and explains what the rules permit. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAccount, fullAccess, type Send } from '../../support/full-access.ts';
import { type ServedProject, serveProject } from '../../support/served-project.ts';
import { isSkipped, openBrowser, type Person, signIn, sitDown } from './browser.ts';

const SCHEMA = `name: desk
databases: [sqlite]
contentTypes:
  article:
    draftAndPublish: true
    attributes:
      title: { type: string, required: true }
      notes: { type: text }
      featured: { type: boolean }
      author: { type: relation, relation: manyToOne, target: user, required: true }
  plan:
    attributes:
      title: { type: string }
      owner: { type: relation, relation: manyToOne, target: user }
permissions:
  author:
    admin: [access]
    article:
      - find: { except: [notes] }
      - findOne: { except: [notes] }
      - preview
      - create: { set: { author: $user }, except: [featured] }
      - update: { where: { author: $user }, except: [featured, author] }
      - delete: { where: { author: $user, publishedAt: { $null: true } } }
    plan: [find: { where: { owner: $user } }, update]
  editor: { '*': '*', upload: '*', users: '*', roles: '*', admin: [access] }
`;

describe.skipIf(isSkipped)('the admin page with rules', () => {
  let browser: Browser;
  let server: ServedProject;
  let send: Send;
  let ann: Person;
  const users = new Map<string, number>();

  beforeAll(async () => {
    [browser, server] = await Promise.all([openBrowser(), serveProject(SCHEMA)]);
    send = await fullAccess(server);
    for (const username of ['ann', 'bob']) {
      users.set(username, await addAccount(send, username, 'author'));
      await send('POST', '/api/articles', { data: { title: `By ${username}`, author: users.get(username) } });
    }
    ann = await sitDown(browser, server, await signIn(browser, server, 'ann'));
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  it('lists what the role may change, where lists have more', async () => {
    const { page } = ann;
    await ann.open('articles');
    await page.getByRole('cell', { name: 'By bob' }).waitFor();
    await page.getByRole('button', { name: 'That I may change' }).click();
    await page.getByRole('cell', { name: 'By bob' }).waitFor({ state: 'detached' });
    await page.getByRole('cell', { name: 'By ann' }).waitFor();
    await page.reload();
    await page.getByRole('cell', { name: 'By ann' }).waitFor();
    expect(await page.getByRole('cell', { name: 'By bob' }).count()).toBe(0);
    await ann.expectAccessible();
    ann.expectNoComplaints();
  });

  it('shows the entry of somebody else as it is, and says why it can not be changed', async () => {
    const { page } = ann;
    await ann.open('articles/2');
    await page.getByText('your role may change only entries with Author: you').waitFor();
    expect(await page.getByRole('textbox', { name: 'Title *' }).getAttribute('readonly')).not.toBeNull();
    for (const name of ['Save draft', 'Publish', 'Unpublish', 'Delete']) {
      expect(await page.getByRole('button', { name, exact: true }).count(), name).toBe(0);
    }
  });

  it('has no field for what the role may not read, and a read-only one for what it may not write', async () => {
    const { page } = ann;
    await ann.open('articles/1');
    await page.getByRole('button', { name: 'Publish', exact: true }).waitFor();
    expect(await page.getByLabel('Notes').count()).toBe(0);
    expect(await page.getByRole('switch', { name: /Featured/u }).isDisabled()).toBe(true);
    expect(await page.getByText('your role may not change it').count()).toBeGreaterThan(0);
    // Published articles stay, by the rule of deleting.
    expect(await page.getByRole('button', { name: 'Delete', exact: true }).count()).toBe(0);
    await page.getByRole('textbox', { name: 'Title *' }).fill('By Ann');
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText('Published', { exact: true }).first().waitFor();
    expect((await send('GET', '/api/articles/1')).data.attributes).toMatchObject({ title: 'By Ann' });
    ann.expectNoComplaints();
  });

  it('makes an entry without the fields that the rule fills in, which the role may delete again', async () => {
    const { page } = ann;
    await ann.open('articles/create');
    expect(await page.getByText('Author', { exact: false }).count()).toBe(0);
    expect(await page.getByText('Featured', { exact: false }).count()).toBe(0);
    await page.getByRole('textbox', { name: 'Title *' }).fill('New');
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.waitForURL(/articles\/3$/u);
    const { data } = await send('GET', '/api/articles/3?publicationState=preview&populate=author');
    expect(data.attributes.author.data.id).toBe(users.get('ann'));
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.waitForURL(/articles(?:\?.*)?$/u);
    ann.expectNoComplaints();
  });

  it('is told nothing of entries that a rule hides', async () => {
    const rights = async (id: number): Promise<readonly [number, unknown]> => {
      const headers = { 'x-admin-session': '1' };
      const answer = await ann.page.request.get(`${server.origin}/api/admin/rights/plan/${id}`, { headers });
      return [answer.status(), await answer.json()];
    };
    for (const name of ['ann', 'bob']) {
      await send('POST', '/api/plans', { data: { title: name, owner: users.get(name) } });
    }
    expect(await rights(1)).toEqual([200, { update: true, draft: false, delete: false }]);
    const [status, hidden] = await rights(2);
    expect([status, hidden]).toEqual([404, expect.anything()]);
    expect(hidden).toEqual((await rights(3))[1]);
  });
});
