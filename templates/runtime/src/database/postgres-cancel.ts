/** Cancels the running statement of a PostgreSQL connection, with a CancelRequest on a separate connection. */
import { connect } from 'node:net';
import type pg from 'pg';

/** The code of a CancelRequest, in place of a protocol version. */
const CANCEL_REQUEST = 80_877_102;
/** In milliseconds. */
const TIMEOUT = 5000;

/** The driver's record of the server session, which its types leave out. */
interface Session {
  readonly host: string;
  readonly port: number;
  readonly processID: number | null;
  readonly secretKey: number | null;
}

/** Sends the request, to which servers don't respond. If the server can't be reached, its own time limit ends the statement. */
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
