/** Several PostgreSQL servers in one URL, one of which can be written to: the others stand by, and may take its place. */
import { type Connection, ServerReadsOnly } from './connection.ts';
import { connectToOne } from './hosts.ts';
import { raw } from './sql.ts';

const ASK_ROLE = raw('SELECT pg_is_in_recovery() AS standby');

async function requireWriter(connection: Connection): Promise<void> {
  const { rows } = await connection.query(ASK_ROLE);
  if (rows[0]?.['standby'] !== 0) throw new ServerReadsOnly(new Error('the server is a replica'));
}

/** Connects to the one of several servers that can be written to. */
export function connectToWriter(hosts: readonly (() => Promise<Connection>)[]): () => Promise<Connection> {
  return connectToOne<void, Connection>(hosts, requireWriter);
}
