/** Has PostgreSQL stop what it does for a connection, by a message of the protocol on a connection of its own. */
import { connect } from 'node:net';
import type pg from 'pg';

/** The code of the message, in the place of a version of the protocol. */
const CANCEL_REQUEST = 80_877_102;
/** In milliseconds. */
const TIMEOUT = 5000;

/** What the driver knows of the server's side of a connection, which its types leave out. */
interface Session {
  readonly host: string;
  readonly port: number;
  readonly processID: number | null;
  readonly secretKey: number | null;
}

/** Nothing is answered; where the server is not to be reached, its own limit of time ends the statement. */
export function cancelPostgres(client: pg.Client): void {
  const { host, port, processID, secretKey } = client as unknown as Session;
  if (processID === null || secretKey === null) return;
  const message = Buffer.alloc(16);
  message.writeInt32BE(message.length, 0);
  message.writeInt32BE(CANCEL_REQUEST, 4);
  message.writeInt32BE(processID, 8);
  message.writeInt32BE(secretKey, 12);
  const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
  socket.setTimeout(TIMEOUT, () => socket.destroy());
  socket.on('error', () => socket.destroy());
  socket.end(message);
  socket.unref();
}
