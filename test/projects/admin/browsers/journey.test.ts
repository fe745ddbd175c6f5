/** The most important way through the admin page, in the engines of all browsers. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Kiosk, openKiosk, PASSWORD } from '../kiosk.ts';
import { ENGINES } from './engines.ts';
import { type Hands, handsAt } from './hands.ts';
import type { Tab } from './tab.ts';

/** Typed without a rest, and so faster than it is rendered. */
const LINES = ['one', 'two', 'three', 'four', 'five', 'six'];

const isRequired = process.env['CI'] === 'true';
const missing = ENGINES.filter(({ open }) => open === undefined);
for (const { name, packages } of missing) {
  console.warn(`The admin page is not tested in ${name}, which is not installed: Debian has it in ${packages}.`);
}

describe.each(ENGINES.filter(({ open }) => isRequired || open !== undefined))('the page in $name', ({ name, open }) => {
  let kiosk: Kiosk;
  let tab: Tab;
  let hands: Hands;

  beforeAll(async () => {
    if (open === undefined) throw new Error(`${name} is not installed`);
    [kiosk, tab] = await Promise.all([openKiosk(), open()]);
    hands = handsAt(tab, name);
    console.info(`${name} ${tab.version}`);
  });
  afterEach(async ({ task }) => {
    await hands?.show(task.name.replaceAll(/\W+/gu, '-'));
    expect(await hands?.complaints()).toEqual([]);
  });
  afterAll(async () => {
    await tab?.close();
    await kiosk?.close();
  });

  /** The tags on the screen, in their order. */
  const tags = async () => {
    const buttons = (await hands.all({ role: 'button' })).map((button) => /^(?<tag>\w+), \d of \d/u.exec(button.name));
    return buttons.flatMap((found) => found?.groups?.['tag'] ?? []);
  };

  const typeLines = async (lines: readonly string[]) => {
    for (const line of lines) {
      await hands.press('Enter');
      await hands.type(line);
    }
  };

  it('signs in', async () => {
    await hands.open(`${kiosk.origin}/admin/`);
    await hands.click({ role: 'textbox', name: 'Email or username…' });
    await hands.type('editor');
    await hands.press('Tab');
    await hands.type(PASSWORD);
    await hands.press('Enter');
    await hands.see({ role: 'banner' });
  });

  it('finds an entry in its list', async () => {
    await hands.click({ role: 'link', name: 'Article' });
    await hands.see({ role: 'cell', name: 'First story' });
    await hands.write({ role: 'textbox', name: 'Search' }, 'first');
    await hands.seeNone({ role: 'cell', name: 'Second story' });
    await hands.click({ role: 'cell', name: 'First story' });
    await hands.see({ role: 'textbox', name: 'Title *' });
  });

  it('writes text, Markdown and blocks', async () => {
    await hands.write({ role: 'textbox', name: 'Title *' }, 'Erste Fährte – “eins”');
    await hands.write({ role: 'textbox', name: 'Body' }, '- one');
    await typeLines(LINES.slice(1));
    await hands.click({ role: 'textbox', name: 'Story' });
    await hands.type('one');
    await typeLines(LINES.slice(1));
  });

  it('sorts a relation by keys and by mouse', async () => {
    await hands.focus({ role: 'button', name: 'json, 5 of 6…' });
    await hands.press('Home');
    await hands.focus({ role: 'button', name: 'json, 1 of 6…' });
    await hands.press('ArrowDown');
    await hands.see({ role: 'button', name: 'json, 2 of 6…' });
    await hands.drag({ role: 'button', name: 'css, 6 of 6…' }, { role: 'button', name: 'koa, 1 of 6…' });
    await hands.see({ role: 'button', name: 'css, 1 of 6…' });
    expect(await tags()).toEqual(['css', 'koa', 'json', 'sql', 'yaml', 'http']);
  });

  it('adds a component to a zone', async () => {
    await hands.click({ role: 'button', name: 'Add' });
    await hands.click({ role: 'menuitem', name: 'Hero' });
    await hands.write({ role: 'textbox', name: 'Heading *' }, 'Big');
    await hands.see({ role: 'button', name: 'Hero Big' });
  });

  it('saves it: the API has what the screen shows', async () => {
    const shown = await tags();
    await hands.click({ role: 'button', name: 'Publish' });
    await hands.see({ role: 'alert' });
    const { data } = await kiosk.send('GET', '/api/articles/1?populate=sections');
    expect(data.attributes).toMatchObject({
      title: 'Erste Fährte – “eins”',
      body: LINES.map((line) => `- ${line}`).join('\n'),
      story: LINES.map((text) => ({ type: 'paragraph', children: [{ type: 'text', text }] })),
      sections: [{ __component: 'blocks.hero', heading: 'Big' }],
    });
    expect(await kiosk.titles('articles/1', 'tags')).toEqual(shown);
    await hands.open(`${kiosk.origin}/admin/articles/1`);
    await hands.see({ role: 'button', name: 'http, 6 of 6…' });
    expect(await tags()).toEqual(shown);
  });

  it('signs out', async () => {
    await hands.click({ role: 'button', name: 'editor' });
    await hands.click({ role: 'menuitem', name: 'Logout' });
    await hands.see({ role: 'button', name: 'Sign in' });
    await hands.open(`${kiosk.origin}/admin/articles/1`);
    await hands.see({ role: 'button', name: 'Sign in' });
  });
});
