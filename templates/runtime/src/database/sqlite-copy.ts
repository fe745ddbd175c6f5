/**
 * Copies of a SQLite file that is in use. They are made in a separate process: SQLite's work can't be interrupted, and would
 * block the server for as long as it takes.
 */
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { text } from 'node:stream/consumers';
import { DatabaseSync } from '@photostructure/sqlite';
import { isBusy } from './sqlite-connection.ts';

/** Arguments: the driver, the file and the copy. Text rather than a module, so that it also exists in a bundled server. */
const PROGRAM = `
const [, driver, file, target] = process.argv;
const { DatabaseSync } = require(driver);
try {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 30000 });
  if (target) database.prepare('VACUUM INTO ?').run(target);
  database.close();
  const copy = new DatabaseSync(target || file, { readOnly: true, timeout: 30000 });
  const [row] = copy.prepare('PRAGMA quick_check(1)').all();
  copy.close();
  if (row.quick_check !== 'ok') throw new Error('it is damaged: ' + row.quick_check);
} catch (error) {
  process.stderr.write(error.message);
  process.exitCode = 1;
}
`;

async function run(file: string, target: string, signal: AbortSignal | undefined): Promise<void> {
  const driver = createRequire(import.meta.url).resolve('@photostructure/sqlite');
  const child = spawn(process.execPath, ['-e', PROGRAM, driver, file, target], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {},
    ...(signal && { signal }),
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  const [code, message] = await Promise.all([ended, text(child.stderr)]);
  if (code !== 0) throw new Error(message === '' ? 'the process that copies the database was killed' : message);
}

/**
 * Writes the current state of a SQLite file to a new file, and checks the copy. `signal` aborts it. Throws with SQLite's
 * message.
 */
export function copySqlite(file: string, target: string, signal?: AbortSignal): Promise<void> {
  return run(file, target, signal);
}

/** Throws if a SQLite file is damaged. */
export function checkSqlite(file: string): Promise<void> {
  return run(file, '', undefined);
}

/**
 * Whether no process has a file open. Switches the file out of write-ahead mode, which SQLite allows only while nobody else
 * has it open: afterwards the file alone is the whole database. A server switches it back when it starts. Throws if it is
 * not a SQLite file.
 */
export function isUnused(file: string): boolean {
  const native = new DatabaseSync(file, { timeout: 0 });
  try {
    native.exec('PRAGMA journal_mode = DELETE');
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    throw error;
  } finally {
    native.close();
  }
}
