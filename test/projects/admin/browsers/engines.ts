/** The engines of browsers that people have, as far as they are installed: Blink, Gecko and WebKit. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { freePort } from '../../../support/project.ts';
import { openBidi } from './bidi.ts';
import { findProgram, startProgram } from './programs.ts';
import type { Tab } from './tab.ts';
import { openDriver } from './web-driver.ts';

export interface Engine {
  readonly name: string;
  /** Debian's packages for it. */
  readonly packages: string;
  /** Undefined where it is not installed. */
  readonly open: (() => Promise<Tab>) | undefined;
}

const chromium = process.env['CHROMIUM_PATH'] ?? findProgram('chromium', 'chromium-browser', 'google-chrome');
const chromeDriver = findProgram('chromedriver');

async function openChromium(driver: string, binary: string): Promise<Tab> {
  const started = await startProgram([driver, '--port=0'], /started successfully on port (?<value>\d+)/u);
  const args = ['--headless=new', '--no-sandbox', '--disable-gpu'];
  return await openDriver(`http://127.0.0.1:${started.value}`, { 'goog:chromeOptions': { binary, args } }, [started]);
}

const firefox = process.env['FIREFOX_PATH'] ?? findProgram('firefox', 'firefox-esr');

async function openFirefox(binary: string): Promise<Tab> {
  const profile = await mkdtemp(join(tmpdir(), 'firefox-'));
  const started = await startProgram(
    [binary, '--headless', '--no-remote', '--remote-debugging-port=0', '--profile', profile],
    /WebDriver BiDi listening on (?<value>ws:\S+)/u,
  );
  const remove = { stop: () => rm(profile, { recursive: true, force: true }) };
  return await openBidi(started.value, [remove, started]);
}

const webKitDriver = findProgram('WebKitWebDriver');
const webKit = findProgram(
  ...['x86_64', 'aarch64'].map((machine) => `/usr/lib/${machine}-linux-gnu/webkit2gtk-4.1/MiniBrowser`),
);
const display = findProgram('Xvfb');

async function openWebKit(driver: string, binary: string, screen: string): Promise<Tab> {
  const shown = await startProgram(
    [screen, '-displayfd', '1', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'],
    /^(?<value>\d+)\n/u,
  );
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const environment = { DISPLAY: `:${shown.value}`, LANG: 'en_GB.UTF-8' };
  // It is silent, so that only its answers tell that it is there.
  const started = await startProgram([driver, `--port=${port}`], /^/u, environment);
  await vi.waitFor(() => fetch(`${address}/status`), { timeout: 10_000 });
  const options = { binary, args: ['--automation'] };
  return await openDriver(address, { 'webkitgtk:browserOptions': options }, [shown, started]);
}

export const ENGINES: readonly Engine[] = [
  {
    name: 'Chromium',
    packages: 'chromium, chromium-driver',
    open: chromium && chromeDriver ? () => openChromium(chromeDriver, chromium) : undefined,
  },
  { name: 'Firefox', packages: 'firefox-esr', open: firefox ? () => openFirefox(firefox) : undefined },
  {
    name: 'WebKit',
    packages: 'webkit2gtk-driver, xvfb',
    open: webKitDriver && webKit && display ? () => openWebKit(webKitDriver, webKit, display) : undefined,
  },
];
