/** Tabs of browsers that speak WebDriver BiDi themselves (https://w3c.github.io/webdriver-bidi/). */
import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { Program } from './programs.ts';
import { type Tab, WINDOW } from './tab.ts';

interface Answer {
  readonly id?: number;
  readonly result?: any;
  readonly error?: string;
  readonly message?: string;
}

type Send = (method: string, params: object) => Promise<any>;

async function connect(url: string): Promise<Send> {
  const socket = new WebSocket(url);
  await once(socket, 'open');
  const waiting = new Map<number, (answer: Answer) => void>();
  socket.on('message', (data) => {
    const answer: Answer = JSON.parse(String(data));
    if (answer.id !== undefined) waiting.get(answer.id)?.(answer);
  });
  let last = 0;
  return async (method, params) => {
    last += 1;
    const id = last;
    const answered = new Promise<Answer>((resolve) => waiting.set(id, resolve));
    socket.send(JSON.stringify({ id, method, params }));
    const { result, error, message } = await answered;
    waiting.delete(id);
    if (error !== undefined) throw new Error(`${method}: ${error}: ${message}`);
    return result;
  };
}

/** `address` as the browser tells it, `ws://127.0.0.1:9222`; `programs` are stopped with the tab. */
export async function openBidi(address: string, programs: readonly Program[]): Promise<Tab> {
  const send = await connect(`${address}/session`);
  const { capabilities } = await send('session.new', { capabilities: {} });
  const { context } = await send('browsingContext.create', { type: 'tab' });
  await send('browsingContext.setViewport', { context, viewport: WINDOW });
  return {
    version: capabilities.browserVersion,
    open: (url) => send('browsingContext.navigate', { context, url, wait: 'complete' }),
    async call(source, argument) {
      const { exceptionDetails, result } = await send('script.callFunction', {
        functionDeclaration: source,
        arguments: [{ type: 'string', value: argument }],
        target: { context },
        awaitPromise: true,
      });
      if (exceptionDetails) throw new Error(exceptionDetails.text);
      return result.value;
    },
    perform: (devices) => send('input.performActions', { context, actions: devices }),
    screenshot: async () => (await send('browsingContext.captureScreenshot', { context })).data,
    async close() {
      await send('browser.close', {});
      for (const program of programs.toReversed()) await program.stop();
    },
  };
}
