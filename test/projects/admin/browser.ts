/** Chromium for the admin page: at one of the usual places, or where CHROMIUM_PATH says. */
import { EventEmitter, once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import axe from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { type Kiosk, PASSWORD } from './kiosk.ts';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const executablePath = [process.env['CHROMIUM_PATH'] ?? '', ...PLACES].find((path) => existsSync(path));

/** With `CI=true`, a test without a browser fails. */
export const isSkipped = executablePath === undefined && process.env['CI'] !== 'true';
if (isSkipped) {
  console.warn('The admin page is not tested, as there is no Chromium: CHROMIUM_PATH says where it is.');
}

export async function openBrowser(): Promise<Browser> {
  if (executablePath === undefined) throw new Error('There is no Chromium: CHROMIUM_PATH says where it is');
  return await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
}

type Server = Pick<Kiosk, 'origin'>;

interface Finding {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** The cookies of a browser, and what the page has stored. */
type Remembered = Awaited<ReturnType<BrowserContext['storageState']>>;

/** Somebody at the page. */
export interface Person {
  readonly page: Page;
  /** The requests since the last call of it, without those for the files of the page. */
  requests(): readonly string[];
  /** Opens a screen: `articles/1`. */
  open(path: string): Promise<void>;
  /** Expects that axe finds nothing on the screen. `heading`: what has a text once the screen is there. */
  expectAccessible(heading?: string): Promise<void>;
  /** Expects that the browser had nothing to complain about. */
  expectNoComplaints(): void;
}

/** Signs in; answers what a browser that is signed in remembers. */
export async function signIn(browser: Browser, { origin }: Server, name: string): Promise<Remembered> {
  const context = await browser.newContext({ locale: 'en-GB' });
  const page = await context.newPage();
  await page.goto(`${origin}/admin/`);
  await page.getByLabel('Email or username').fill(name);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('banner').waitFor();
  const remembered = await context.storageState();
  await context.close();
  return remembered;
}

/** Opens a page of somebody who is signed in. `width` in pixels. */
export async function sitDown(
  browser: Browser,
  { origin }: Server,
  storageState: Remembered,
  width = 1280,
): Promise<Person> {
  const context = await browser.newContext({ viewport: { width, height: 900 }, locale: 'en-GB', storageState });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const complaints: string[] = [];
  let requests: string[] = [];
  page.on('request', (request) => {
    const body = request.postData();
    const line = `${request.method()} ${decodeURIComponent(request.url().replace(origin, ''))}`;
    if (line.includes('/api/')) requests.push(body === null ? line : `${line} ${body}`);
  });
  page.on('console', (message) => {
    // A refused request is an error to the browser, and part of the test.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      complaints.push(message.text());
    }
  });
  page.on('pageerror', ({ message }) => complaints.push(message));
  return {
    page,
    requests() {
      const since = requests;
      requests = [];
      return since;
    },
    async open(path) {
      await page.goto(`${origin}/admin/${path}`);
      await page.getByRole('banner').waitFor();
      await page.waitForLoadState('networkidle');
      // On a busy machine it is there for a moment after the last answer.
      await page.locator('.app-loader').waitFor({ state: 'hidden' });
    },
    async expectAccessible(heading = '#react-admin-title') {
      // The heading is there before its text. `waitForFunction` would evaluate a string, which the page forbids.
      const text = () => page.evaluate(`document.querySelector('${heading}')?.textContent`);
      await expect.poll(text, { timeout: 30_000 }).not.toBe('');
      // A button that has just been enabled is pale for a moment.
      await page.evaluate(
        'Promise.allSettled(document.getAnimations().filter((one) => one instanceof CSSTransition).map((one) => one.finished))',
      );
      await page.evaluate(axe.source);
      const findings: Finding[] = await page.evaluate(async () => {
        const { violations } = await (globalThis as any).axe.run({ resultTypes: ['violations'] });
        return violations;
      });
      const told = findings.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n  ')}`);
      expect(told, page.url()).toEqual([]);
    },
    expectNoComplaints: () => expect(complaints).toEqual([]),
  };
}

/**
 * Writes a picture of the whole page to the folder that SCREENSHOTS names, to be looked at; without it, does nothing. `widths` in
 * pixels: one picture each.
 */
export async function shoot(page: Page, name: string, widths: readonly number[] = []): Promise<void> {
  const folder = process.env['SCREENSHOTS'];
  if (folder === undefined) return;
  await mkdir(folder, { recursive: true });
  const size = page.viewportSize() ?? { width: 1280, height: 900 };
  for (const width of widths.length === 0 ? [size.width] : widths) {
    if (width !== size.width) await page.setViewportSize({ width, height: size.height });
    // Its own change of the size starts transitions.
    await page.screenshot({ path: `${folder}/${name}-${width}.png`, fullPage: true, animations: 'disabled' });
  }
  await page.setViewportSize(size);
}

/** Does what saves, and waits for the answer: “Unsaved changes” gives way to “Saving…” before it is there. */
export async function saveBy(page: Page, action: () => Promise<void>): Promise<void> {
  const answer = page.waitForResponse((response) => ['POST', 'PUT'].includes(response.request().method()));
  await action();
  await answer;
  await page.getByText('Unsaved changes', { exact: true }).waitFor({ state: 'hidden' });
}

/** Clicks a button again before the page has rendered anything. */
export async function clickTwice(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).evaluate((node: any) => {
    node.click();
    node.click();
  });
}

/** Requests that a slow network holds back. */
export interface Held {
  /** The bodies of the requests, in order. */
  readonly bodies: readonly string[];
  /** Resolves once the first request is there. */
  readonly first: Promise<unknown>;
  /** Lets them go on, or fails them. */
  letGo(isFailed?: boolean): Promise<void>;
}

/** Holds requests back, by method and path. */
export async function hold(page: Page, method: string, path: RegExp): Promise<Held> {
  const bodies: string[] = [];
  const events = new EventEmitter();
  const first = once(events, 'request');
  const gate = once(events, 'go');
  await page.route(
    (url) => path.test(url.pathname),
    async (route) => {
      if (route.request().method() !== method) return await route.fallback();
      bodies.push(route.request().postData() ?? '');
      events.emit('request');
      const [isFailed] = await gate;
      if (isFailed) return await route.abort();
      return await route.continue();
    },
  );
  return {
    bodies,
    first,
    async letGo(isFailed = false) {
      events.emit('go', isFailed);
      await page.unrouteAll({ behavior: 'wait' });
    },
  };
}

/** How the response to a request that the server has handled is lost, or how the request fails to reach it. */
export type Loss = 'connection' | 'proxy' | 'database' | 'request';

/** Loses the next request of a method and path, or the response to it. */
export async function lose(page: Page, method: string, path: RegExp, loss: Loss = 'connection'): Promise<void> {
  let isLost = false;
  await page.route(
    (url) => path.test(url.pathname),
    async (route) => {
      if (isLost || route.request().method() !== method) return await route.fallback();
      isLost = true;
      if (loss !== 'request') await route.fetch();
      if (loss === 'proxy') {
        return await route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' });
      }
      if (loss !== 'database') return await route.abort();
      // The server itself has not learned whether the database has committed.
      const error = { status: 503, name: 'ServiceUnavailableError', message: 'Lost', details: {} };
      return await route.fulfill({ status: 503, json: { data: null, error } });
    },
  );
}

/** Lets no reads of a path through, until the returned function is called. */
export async function disconnect(page: Page, path: RegExp): Promise<() => Promise<void>> {
  let isDown = true;
  await page.route(
    (url) => path.test(url.pathname),
    async (route) => {
      if (!isDown || route.request().method() !== 'GET') return await route.fallback();
      return await route.abort();
    },
  );
  return async () => {
    isDown = false;
  };
}

/** How long the page works until a key is on the screen: the time of its thread, in milliseconds, which others on the machine don't add to. */
export async function timeOfKey(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const worked = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1000;
  };
  await page.evaluate(`void (globalThis.drawn = new Promise((resolve) => {
    addEventListener('keydown', () => requestAnimationFrame(() => setTimeout(resolve)), { once: true, capture: true });
  }))`);
  const before = await worked();
  await page.keyboard.press('x');
  await page.evaluate('globalThis.drawn');
  return (await worked()) - before;
}
