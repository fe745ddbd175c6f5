/**
 * The pages of a development server in a browser, under their content security policy. Needs Chromium: at one of the usual places, or
 * where CHROMIUM_PATH says.
 */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixtureSchema, type ServedProject, serveProject } from '../support/served-project.ts';
import { ring, writeDocument } from './documents.ts';
import { installTools, TOOLS } from './tools.ts';

/** Of playwright-core, which is installed with the other tools. */
type Page = any;

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const executablePath = [process.env['CHROMIUM_PATH'] ?? '', ...PLACES].find((path) => existsSync(path));
const isSkipped = executablePath === undefined && process.env['CI'] !== 'true';
if (isSkipped) {
  console.warn('The pages of a server are not tested, as there is no Chromium: CHROMIUM_PATH says where it is.');
}

const ARGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'];
/** In milliseconds: until a page of 250 types can be used. Elsewhere the machine may be busy. */
const MOST_TIME = process.env['STRICT_TIMES'] === '1' ? 3000 : 20_000;

describe.skipIf(isSkipped)('in a browser', () => {
  let browser: any;
  let server: ServedProject;

  beforeAll(async () => {
    await installTools();
    if (executablePath === undefined) throw new Error('There is no Chromium: CHROMIUM_PATH says where it is');
    const { chromium } = createRequire(join(TOOLS, 'package.json'))('playwright-core');
    browser = await chromium.launch({ executablePath, headless: true, args: ARGS });
    server = await serveProject(await fixtureSchema('blog'));
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  /** Opens a page, works on it, and expects that the browser had nothing to complain about. */
  async function onPage(path: string, work: (page: Page) => Promise<void>): Promise<void> {
    const page = await browser.newPage({ viewport: { width: 1200, height: 900 } });
    const complaints: string[] = [];
    page.on('console', (message: any) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    page.on('pageerror', (error: Error) => complaints.push(error.message));
    try {
      const response = await page.goto(`${server.origin}${path}`);
      expect(response?.headers()['content-security-policy']).toContain("script-src 'self'");
      await work(page);
      expect(complaints).toEqual([]);
    } finally {
      const folder = join(TOOLS, 'screenshots');
      mkdirSync(folder, { recursive: true });
      await page.screenshot({ path: join(folder, `${path.replaceAll('/', '') || 'home'}.png`) });
      await page.close();
    }
  }

  it('/ says what runs, and sends a request', async () => {
    await onPage('/', async (page) => {
      await page.locator('h1', { hasText: 'blog' }).waitFor();
      await page.locator('input[name=path]').fill('/api/articles?filters[title][$containsi]=a&pagination[pageSize]=5');
      await page.locator('button').click();
      await page.locator('#answer', { hasText: '200 OK' }).waitFor();
      expect(await page.locator('#answer').textContent()).toContain('"pageSize": 5');
    });
  });

  it('/docs shows the operations, and sends a list with nested filters', async () => {
    await onPage('/docs', async (page) => {
      await page.locator('#operations-tag-article').click();
      const operation = page.locator('#operations-article-findArticles');
      await operation.locator('.opblock-summary-control').click();
      await operation.locator('.try-out__btn').click();
      const filters = operation.locator('tr[data-param-name=filters] textarea');
      await filters.fill('{ "title": { "$containsi": "wave" }, "author": { "name": { "$null": false } } }');
      const sent = page.waitForRequest((request: any) => request.url().includes('/api/articles'));
      await operation.locator('.execute').click();
      const { searchParams } = new URL((await sent).url());
      expect(searchParams.get('filters[title][$containsi]')).toBe('wave');
      expect(searchParams.get('filters[author][name][$null]')).toBe('false');
      await operation.locator('.live-responses-table .response-col_status', { hasText: '200' }).waitFor();
      expect(await operation.locator('.live-responses-table').textContent()).toContain('pagination');
    });
  });

  it('/docs can be used soon with 250 types', async () => {
    const body = readFileSync(await writeDocument('ring-250', ring(250)));
    const documents = createServer((_request, response) => {
      response.setHeader('Content-Type', 'application/json').end(body);
    });
    await new Promise<void>((done) => documents.listen(0, '127.0.0.1', done));
    const url = `http://127.0.0.1:${(documents.address() as AddressInfo).port}/`;
    const context = await browser.newContext();
    const page = await context.newPage();
    const inspector = await context.newCDPSession(page);
    await inspector.send('Performance.enable', { timeDomain: 'threadTicks' });
    await page.route('**/openapi.json', (route: any) => route.continue({ url }));
    const start = performance.now();
    await page.goto(`${server.origin}/docs`);
    await page.locator('.opblock').first().waitFor();
    const shown = performance.now() - start;
    const { metrics } = await inspector.send('Performance.getMetrics');
    const worked = 1000 * metrics.find(({ name }: any) => name === 'TaskDuration').value;
    await page.locator('#part').selectOption('thing-0001');
    const operation = page.locator('[id="operations-thing-0001-findThing_0001s"]');
    await operation.locator('.opblock-summary-control').click();
    await operation.locator('.try-out__btn').waitFor();
    const opened = performance.now() - start;
    const [list, cpu, other] = [shown, worked, opened].map(Math.round);
    console.log(`/docs with 250 types: listed in ${list} ms (${cpu} of CPU), an operation of another open in ${other}`);
    expect(shown).toBeLessThan(MOST_TIME);
    await context.close();
    documents.close();
  });
});
