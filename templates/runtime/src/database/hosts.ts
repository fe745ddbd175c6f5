/** Several servers in one URL, of which one is connected to. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Connection, ConnectionLost, ServerUnavailable } from './connection.ts';

/** How long a server has the word before the next one is asked as well, in milliseconds. */
const STAGGER = 300;

/** Of libpq. What it says is what is done with several hosts anyway; with one, whatever that is, is taken. */
const ROLE_PARAMETER = /([?&])target_session_attrs=[^&]*(?:&|$)/u;

/**
 * A URL for each host of `postgres://user@first:5432,second:5433/name`, which libpq reads in the same way; of `mysql://…` too. What an
 * URL of one host says is left as it is.
 */
export function hostUrls(url: string): readonly string[] {
  const parts = /^(?<start>[a-z]+:\/\/(?:[^@/?#]*@)?)(?<hosts>[^@/?#]*,[^@/?#]*)(?<end>(?:[/?#].*)?)$/isu.exec(
    url,
  )?.groups;
  if (!parts) return [url];
  const end = (parts['end'] ?? '').replace(ROLE_PARAMETER, '$1').replace(/[?&]$/u, '');
  return (parts['hosts'] ?? '').split(',').map((host) => `${parts['start']}${host.trim()}${end}`);
}

/** Connects to one server, in one of several ways. */
export type Connect<How, C extends Connection> = (how: How) => Promise<C>;

async function requireAccepted<C extends Connection>(
  connection: C,
  accept: (connection: C) => Promise<void>,
): Promise<C> {
  try {
    await accept(connection);
    return connection;
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** Why no server was found: that it is not there yet, unless something is wrong that stays. */
function reasonOf(errors: readonly unknown[]): unknown {
  const lasting = errors.find((error) => !(error instanceof ConnectionLost || error instanceof ServerUnavailable));
  return lasting ?? (errors.length === 1 ? errors[0] : new ServerUnavailable(new AggregateError(errors)));
}

interface Found<C> {
  readonly connection: C;
  readonly index: number;
}

/** Asks one host after the other, the next one when the last says no or does not answer soon. */
async function firstAccepted<C extends Connection>(
  order: readonly number[],
  connect: (index: number) => Promise<C>,
): Promise<Found<C>> {
  const errors: unknown[] = [];
  const running = new Set<Promise<void>>();
  let found: Found<C> | undefined;
  const ask = async (index: number): Promise<void> => {
    try {
      const connection = await connect(index);
      if (found) await connection.close();
      else found = { connection, index };
    } catch (error) {
      errors.push(error);
    }
  };
  for (const index of order) {
    const asking = ask(index);
    running.add(asking);
    void asking.finally(() => running.delete(asking));
    await Promise.race([sleep(STAGGER), ...running]);
    if (found) return found;
  }
  while (!found && running.size > 0) await Promise.race(running);
  if (!found) throw reasonOf(errors);
  return found;
}

/**
 * Connects to the first of several servers with which `accept` does not find fault by an error of its own. The one that was found
 * last is asked first, so that connections lead to one of them.
 */
export function connectToOne<How, C extends Connection>(
  hosts: readonly Connect<How, C>[],
  accept: (connection: C) => Promise<void>,
): Connect<How, C> {
  let last = 0;
  return async (how) => {
    const order = [...hosts.keys()].sort((a, b) => Number(b === last) - Number(a === last));
    const { connection, index } = await firstAccepted(order, async (each) =>
      requireAccepted((await hosts[each]?.(how)) as C, accept),
    );
    last = index;
    return connection;
  };
}
