/**
 * The program of a process that reads a SQLite file for the server: SQLite can't be interrupted from the thread it runs on,
 * but a process can be killed. It is text rather than a module, so that it also exists in a bundled server.
 *
 * Arguments: the path of the driver, the file, and the maximum bytes of a value. It answers each message `{ text, params }`
 * with `{ rows }` or `{ error }`, in order, and `{ exec }` with `{ rows: [] }`.
 */
export const PROGRAM = `
const { Worker } = require('node:worker_threads');
const [, driver, file, maxLength] = process.argv;
const { DatabaseSync } = require(driver);
const database = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
database.limits.length = Number(maxLength);
const kept = new Map();
function prepared(text) {
  const known = kept.get(text);
  if (known) return known;
  if (kept.size === 100) kept.clear();
  const statement = database.prepare(text);
  statement.setReadBigInts(true);
  kept.set(text, statement);
  return statement;
}
process.on('message', ({ text, params, exec }) => {
  try {
    if (exec !== undefined) {
      database.exec(exec);
      process.send({ rows: [] });
    } else {
      process.send({ rows: prepared(text).all(...params).map((row) => ({ ...row })) });
    }
  } catch (error) {
    process.send({ error: error.message });
  }
});
process.on('disconnect', () => process.exit());
// If the server is killed during a statement, 'disconnect' comes only after the statement.
const watch = \`
  const { workerData: parent } = require('node:worker_threads');
  setInterval(() => process.ppid === parent || process.kill(process.pid, 'SIGKILL'), 1000);
\`;
new Worker(watch, { eval: true, workerData: process.ppid }).unref();
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
process.send({ ready: true });
`;
