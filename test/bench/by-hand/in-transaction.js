/** PostgreSQL's and MariaDB's: one of two transactions was rolled back, so that the other could go on. */
const DEADLOCKS = new Set(['40P01', 'ER_LOCK_DEADLOCK']);
const MAX_TRIES = 10;

async function once(client, work) {
  try {
    await client.query('START TRANSACTION');
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}

/** Runs `work` in a transaction on a client that `connect` gets from a pool, and releases it. Deadlocks are retried. */
export async function inTransaction(connect, work, tries = 1) {
  try {
    return await once(await connect(), work);
  } catch (error) {
    if (!DEADLOCKS.has(error.code) || tries === MAX_TRIES) throw error;
    return inTransaction(connect, work, tries + 1);
  }
}
