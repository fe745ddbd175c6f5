// The admin panel in Chromium: the time until it is usable, the requests for an entry, and the latency of its input.
import { existsSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { execa } from 'execa';
import { engines } from './engines.js';
import { prepareProject } from './project.js';
import { migrate, SETTINGS, startGenerated } from './servers.js';

const EXECUTABLES = [process.env.CHROMIUM_PATH ?? '', '/usr/bin/chromium', '/usr/bin/google-chrome'];
const ACCOUNT = { email: 'editor@example.org', password: 'a long password' };
const LONG = 10_000;
const SECTIONS = 30;
const RELATED = 200;
const TYPES = 440;

const ROLE = `
permissions:
  editor: { '*': '*', admin: [access] }
  public: { '*': '*' }
`;

const SCHEMA = `name: page
databases: [sqlite]
contentTypes:
  article:
    admin: { mainField: title }
    attributes:
      title: { type: string, required: true }
      related: { type: relation, relation: manyWay, target: tag }
      sections: { type: dynamiczone, components: [blocks.text] }
  tag:
    attributes: { name: { type: string, required: true } }
components:
  blocks.text:
    attributes: { heading: { type: string }, text: { type: text } }
${ROLE}`;

const MANY_TYPES = `name: menu
databases: [sqlite]
contentTypes:
${Array.from({ length: TYPES }, (_, index) => `  type${index}: { attributes: { title: { type: string } } }`).join('\n')}
${ROLE}`;

/** Serves a project that has an admin panel and an account; `work` gets a browser and the origin of the server. */
async function atPage(name, schema, seed, work) {
  const project = await prepareProject(schema, name);
  const database = await engines.sqlite.create(name);
  try {
    await migrate(project, database.url);
    const env = { ...SETTINGS, DATABASE_URL: database.url };
    const { email, password } = ACCOUNT;
    const account = ['create', '--email', email, '--password', password, '--role', 'editor'];
    await execa(process.execPath, ['dist/generated/command.js', 'user', ...account], { cwd: project, env });
    const server = await startGenerated(project, database.url, { path: '/_health' });
    const browser = await chromium.launch({
      executablePath: EXECUTABLES.find((path) => existsSync(path)),
      args: ['--no-sandbox', '--disable-gpu'],
    });
    try {
      const origin = `http://127.0.0.1:${server.port}`;
      await seed(origin);
      await work({ browser, origin });
    } finally {
      await browser.close();
      await server.stop();
    }
  } finally {
    await database.drop();
  }
}

async function create(origin, path, data) {
  const response = await fetch(`${origin}/api/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ data }),
  });
  const body = await response.json();
  if (!response.ok) throw new Error(JSON.stringify(body));
  return body.data.id;
}

async function seedArticles(origin) {
  const tags = [];
  for (let number = 1; number <= LONG; number += 1) tags.push(await create(origin, 'tags', { name: `tag ${number}` }));
  const section = (_, index) => ({ __component: 'blocks.text', heading: `Section ${index}`, text: 'A text.' });
  const sections = Array.from({ length: SECTIONS }, section);
  await create(origin, 'articles', { title: 'Many sections', related: tags.slice(0, RELATED), sections });
  await create(origin, 'articles', { title: 'Long list', related: tags });
  await create(origin, 'articles', { title: 'Short list', related: tags.slice(0, 10) });
}

/** A signed-in page, and what it has loaded: bytes of gzipped scripts, and the number of API requests. */
async function signedIn({ browser, origin }) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en-GB' });
  const page = await context.newPage();
  const loaded = { scripts: 0, requests: 0 };
  page.on('response', async (response) => {
    if (response.url().endsWith('.js')) loaded.scripts += gzipSync(await response.body()).length;
    if (response.url().includes('/api/')) loaded.requests += 1;
  });
  await page.goto(`${origin}/admin/`);
  await page.getByLabel('Email or username').fill(ACCOUNT.email);
  await page.getByLabel('Password').fill(ACCOUNT.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('banner').waitFor();
  return { context, page, loaded };
}

async function timed(work) {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** The longest time from a key press to the next paint, in milliseconds, as measured by the browser. */
async function slowestKey(page) {
  await page.evaluate(() => {
    globalThis.keys = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (entry.name === 'keydown') globalThis.keys.push(entry.duration);
    }).observe({ type: 'event', durationThreshold: 16, buffered: false });
  });
  await page.keyboard.type('How soon is a key on the screen? ', { delay: 60 });
  await page.waitForTimeout(300);
  return page.evaluate(() => Math.max(16, ...globalThis.keys));
}

/** Frames per second while a row is dragged up and down. */
async function framesOfDrag(page) {
  const box = await page.getByRole('button', { name: /^tag 2, 2 of/u }).boundingBox();
  await page.mouse.move(box.x + 8, box.y + 8);
  await page.mouse.down();
  await page.evaluate(() => {
    globalThis.frames = 0;
    const count = () => {
      globalThis.frames += 1;
      requestAnimationFrame(count);
    };
    requestAnimationFrame(count);
  });
  const started = performance.now();
  for (let step = 0; step < 120; step += 1) {
    await page.mouse.move(box.x + 8, box.y + 8 + 120 * Math.abs(Math.sin(step / 12)));
    await page.waitForTimeout(8);
  }
  const frames = await page.evaluate(() => globalThis.frames);
  const seconds = (performance.now() - started) / 1000;
  await page.keyboard.press('Escape');
  await page.mouse.up();
  return frames / seconds;
}

async function openEntry({ page, loaded }, origin, title, shown) {
  await page.goto(`${origin}/admin/articles`);
  await page.getByRole('cell', { name: title }).waitFor();
  await page.waitForLoadState('networkidle');
  loaded.requests = 0;
  const time = await timed(async () => {
    await page.getByRole('cell', { name: title }).click();
    await page.getByText(shown, { exact: true }).first().waitFor();
  });
  await page.waitForLoadState('networkidle');
  return { time, requests: loaded.requests };
}

async function measureArticles(place, say) {
  const person = await signedIn(place);
  const { page, context, loaded } = person;
  loaded.scripts = 0;
  const again = await context.newPage();
  let bytes = 0;
  again.on('response', async (response) => {
    if (response.url().endsWith('.js')) bytes += gzipSync(await response.body()).length;
  });
  const list = await timed(async () => {
    await again.goto(`${place.origin}/admin/articles`);
    await again.getByRole('cell', { name: 'Long list' }).waitFor();
  });
  await again.waitForLoadState('networkidle');
  say(`  a list is usable after ${Math.round(list)} ms, with ${Math.round(bytes / 1000)} kB of gzipped script`);
  await again.close();
  for (const [title, shown] of [
    ['Short list', 'tag 1'],
    ['Long list', 'tag 1'],
    ['Many sections', 'tag 1'],
  ]) {
    const { time, requests } = await openEntry(person, place.origin, title, shown);
    say(`  "${title}" is open after ${Math.round(time)} ms and ${requests} requests`);
    if (title === 'Long list') say(`  dragging in it: ${(await framesOfDrag(page)).toFixed(0)} frames per second`);
  }
  const address = page.url();
  await page.close();
  for (const unfolded of [[15], Array.from({ length: SECTIONS }, (_, index) => index)]) {
    const time = await keyInZone(await context.newPage(), address, unfolded);
    const zone = `${SECTIONS} components, ${unfolded.length} of them expanded`;
    say(`  a key press in a zone of ${zone}, with ${RELATED} relations: at most ${time} ms`);
  }
}

/** Uses a new tab, where the first key press is the one that gives the entry unsaved changes. */
async function keyInZone(page, address, unfolded) {
  await page.goto(address);
  await page.waitForLoadState('networkidle');
  for (const index of unfolded) {
    await page.getByRole('button', { name: `Text Section ${index}`, exact: true, expanded: false }).click();
  }
  await page.getByRole('textbox', { name: 'Text' }).last().click();
  await page.waitForTimeout(300);
  return slowestKey(page);
}

async function measureMenu(place, say) {
  const { page } = await signedIn(place);
  const time = await timed(async () => {
    await page.goto(`${place.origin}/admin/`);
    await page
      .getByRole('navigation')
      .getByText(/^Type ?439$/)
      .waitFor();
  });
  say(`  the menu of ${TYPES} types is shown after ${Math.round(time)} ms`);
}

/** Prints the measurements of the admin panel. */
export async function measurePage({ say }) {
  if (!EXECUTABLES.some((path) => existsSync(path))) {
    say('  skipped: Chromium was not found; set CHROMIUM_PATH to its path');
    return;
  }
  await atPage('page', SCHEMA, seedArticles, (place) => measureArticles(place, say));
  await atPage(
    'menu',
    MANY_TYPES,
    async () => {},
    (place) => measureMenu(place, say),
  );
}
