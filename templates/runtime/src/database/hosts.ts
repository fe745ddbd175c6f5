/** Several servers in one URL, one of which is used. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Connection, ConnectionLost, ServerUnavailable } from './connection.ts';

/** Head start of a server before the next one is tried as well, in milliseconds. */
const STAGGER = 300;

/**
 * A parameter of libpq. It is dropped where there are several hosts, as the writable one is chosen anyway; a single host is
 * used in any role.
 */
const ROLE_PARAMETER = /([?&])target_session_attrs=[^&]*(?:&|$)/u;

/**
 * A URL for each host of `postgres://user@first:5432,second:5433/name`, parsed as libpq does; also for `mysql://…`. A URL
 * with one host is returned unchanged.
 */
export function hostUrls(url: string): readonly string[] {
  const parts = /^(?<start>[a-z]+:\/\/(?:[^@/?#]*@)?)(?<hosts>[^@/?#]*,[^@/?#]*)(?<end>(?:[/?#].*)?)$/isu.exec(
    url,
  )?.groups;
  if (!parts) return [url];
  const end = (parts['end'] ?? '').replace(ROLE_PARAMETER, '$1').replace(/[?&]$/u, '');
  return (parts['hosts'] ?? '').split(',').map((host) => `${parts['start']}${host.trim()}${end}`);
}

/** Connects to one server, in one of several ways (`How`). */
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

/** Why no server was found: a permanent error if there is one, otherwise a ServerUnavailable or ConnectionLost. */
function reasonOf(errors: readonly unknown[]): unknown {
  const lasting = errors.find((error) => !(error instanceof ConnectionLost || error instanceof ServerUnavailable));
  return lasting ?? (errors.length === 1 ? errors[0] : new ServerUnavailable(new AggregateError(errors)));
}

interface Found<C> {
  readonly connection: C;
  readonly index: number;
}

/** Tries the hosts in order. The next attempt begins when the previous one has failed or takes longer than `STAGGER`. */
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
 * Connects to the first of several servers for which `accept` does not throw. Starts with the server that was used last, so
 * that connections lead to the same one.
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
