// An empty database for each peer.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { engines } from '../engines.js';

/**
 * @typedef {import('./content.js').PeerDatabase & { settle: () => Promise<void>, drop: () => Promise<void> }} OwnedDatabase `settle`: what
 *   the database does by itself some time after it was filled.
 */

/** Rows that one statement inserts. */
const ROWS_AT_ONCE = 250;

const literal = (value) => (typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value));

/** Inserts rows, whose ids the database numbers in their order. */
const inserter = (run) => async (name, rows) => {
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    const values = rows.slice(from, from + ROWS_AT_ONCE).map((row) => `(${Object.values(row).map(literal).join()})`);
    const columns = Object.keys(rows[0]).map((column) => `"${column}"`);
    await run(`INSERT INTO "${name}" (${columns.join()}) VALUES ${values.join()}`);
  }
};

/** @returns {Promise<OwnedDatabase>} */
async function sqlite(_, folder) {
  const data = join(folder, '.data');
  const drop = async () => rmSync(data, { recursive: true, force: true });
  await drop();
  mkdirSync(data, { recursive: true });
  const file = join(data, 'content.db');
  const run = async (statement) => {
    const database = new DatabaseSync(file);
    database.exec(statement);
    database.close();
  };
  return { engineName: 'sqlite', file, url: '', insert: inserter(run), settle: async () => {}, drop };
}

/** @returns {Promise<OwnedDatabase>} */
async function postgres(name) {
  const { url, run, drop } = await engines.postgres.create(`peer_${name}`);
  return { engineName: 'postgres', url, insert: inserter(run), settle: () => run('VACUUM ANALYZE'), drop };
}

export const PEER_ENGINES = { sqlite, postgres };
