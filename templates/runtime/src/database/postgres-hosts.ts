/** Several PostgreSQL servers in one URL: one primary, and standbys that may take over. */
import { type Connection, ServerReadsOnly } from './connection.ts';
import { connectToOne } from './hosts.ts';
import { raw } from './sql.ts';

const ASK_ROLE = raw('SELECT pg_is_in_recovery() AS standby');

async function requireWriter(connection: Connection): Promise<void> {
  const { rows } = await connection.query(ASK_ROLE);
  if (rows[0]?.['standby'] !== 0) throw new ServerReadsOnly(new Error('the server is a replica'));
}

/** Connects to the server that can be written to. */
export function connectToWriter(hosts: readonly (() => Promise<Connection>)[]): () => Promise<Connection> {
  return connectToOne<void, Connection>(hosts, requireWriter);
}
