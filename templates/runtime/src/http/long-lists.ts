/** Converts long lists to JSON in several turns of the event loop, so that short requests don't wait for all of it. */
import type { Client } from '../base/client.ts';
import { createTurnQueue } from '../base/turns.ts';
import type { ListAnswer } from '../query/answer.ts';

/** Entries per turn: a few milliseconds of work. */
const PER_TURN = 250;

/** Shared by all requests of the process. */
const turns = createTurnQueue();

/** The JSON text of the entries of a list, each as `shown` returns it. Throws ClientGoneError if the client disconnects meanwhile. */
export async function listToJson(
  answer: Pick<ListAnswer, 'entries'>,
  shown: (entry: unknown) => unknown,
  client: Client | undefined,
): Promise<string> {
  await turns(client);
  const entries = answer.entries();
  let text = '';
  for (let at = 0; at < entries.length; at += PER_TURN) {
    if (at > 0) await turns(client);
    const part = JSON.stringify(entries.slice(at, at + PER_TURN).map(shown));
    text += `${at > 0 ? ',' : ''}${part.slice(1, -1)}`;
  }
  return `[${text}]`;
}
