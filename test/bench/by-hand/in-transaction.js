/** Runs `work` in a transaction on a client of the pool, and releases the client. */
export async function inTransaction(client, work) {
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
