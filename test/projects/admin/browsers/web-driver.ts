/** Tabs of browsers that have a driver: a server that speaks WebDriver (https://www.w3.org/TR/webdriver2/). */
import type { Program } from './programs.ts';
import { type Tab, WINDOW } from './tab.ts';

async function send(method: 'POST' | 'DELETE' | 'GET', url: string, body?: unknown): Promise<any> {
  const response = await fetch(url, { method, ...(body !== undefined && { body: JSON.stringify(body) }) });
  const { value } = (await response.json()) as { readonly value: any };
  if (!response.ok) throw new Error(`${method} ${url}: ${value.error}: ${value.message}`);
  return value;
}

/** `programs` are stopped with the tab, the last of them first. */
export async function openDriver(
  address: string,
  capabilities: Readonly<Record<string, unknown>>,
  programs: readonly Program[],
): Promise<Tab> {
  const { sessionId, capabilities: actual } = await send('POST', `${address}/session`, {
    capabilities: { alwaysMatch: capabilities },
  });
  const session = `${address}/session/${sessionId}`;
  await send('POST', `${session}/window/rect`, WINDOW);
  return {
    version: actual.browserVersion,
    open: (url) => send('POST', `${session}/url`, { url }),
    call: (source, argument) =>
      send('POST', `${session}/execute/sync`, { script: `return (${source})(arguments[0])`, args: [argument] }),
    perform: (devices) => send('POST', `${session}/actions`, { actions: devices }),
    screenshot: () => send('GET', `${session}/screenshot`),
    async close() {
      await send('DELETE', session);
      for (const program of programs.toReversed()) await program.stop();
    },
  };
}
