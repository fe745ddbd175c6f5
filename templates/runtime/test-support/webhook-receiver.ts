/** A receiver of webhooks that verifies what it gets, and answers as a test says. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

/** What a receiver has been told. */
export interface Told {
  readonly event: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: any;
  /** Whether it was answered with 200. */
  readonly accepted: boolean;
}

/** How a message is answered: a status, nothing at all, or by the test itself. */
type Answer = number | 'stall' | ((response: ServerResponse) => void);

export interface WebhookReceiver {
  readonly url: string;
  readonly told: readonly Told[];
  /** Those that it has accepted. */
  accepted(): readonly Told[];
  /** Says how each message is answered from now on. */
  answering(answer: (body: any, count: number) => Answer): void;
  close(): Promise<void>;
}

export const SECRET = `whsec_${Buffer.from('a secret of the tests, 32 bytes.').toString('base64')}`;

/** Every message must be signed by `secret`. */
export async function receiveWebhooks(secret = SECRET): Promise<WebhookReceiver> {
  const verifier = new Webhook(secret);
  const told: Told[] = [];
  let answerOf: (body: any, count: number) => Answer = () => 200;
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => void parts.push(part));
    request.on('end', () => {
      const text = Buffer.concat(parts).toString();
      const { headers } = request;
      let body: any;
      try {
        body = verifier.verify(text, headers as Record<string, string>);
      } catch {
        response.writeHead(401).end();
        return;
      }
      const answer = answerOf(body, told.length);
      told.push({ event: String(headers['x-strapi-event']), headers, body, accepted: answer === 200 });
      if (typeof answer === 'function') answer(response);
      else if (answer !== 'stall') response.writeHead(answer).end('noted');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    told,
    accepted: () => told.filter(({ accepted }) => accepted),
    answering(answer) {
      answerOf = answer;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
