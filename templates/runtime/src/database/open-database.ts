/** Opens the database that `DATABASE_URL` names. */
import { mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { codeOf } from './connection.ts';
import { explainMissingModule } from '../base/missing-module.ts';
import type { Database } from './database.ts';
import { explainingFile } from './unwritable-file.ts';
import { type DatabaseSettings, DEFAULT_DATABASE_SETTINGS } from './database-settings.ts';

const DRIVERS =
  'This server has drivers for sqlite (sqlite:./data/NAME.db), postgres (postgres://user:password@host/database) and mysql (mysql://…, also for MariaDB).';

/**
 * The file of `sqlite:./data/x.db`, `sqlite:/srv/x.db` or `sqlite:///srv/x.db`; undefined for other engines, and if no file
 * is named.
 */
export function sqlitePath(url: string): string | undefined {
  return /^sqlite:(?:\/\/(?=\/))?(?<path>.+)$/iu.exec(url)?.groups?.['path'];
}

async function openFile(url: string, settings: DatabaseSettings): Promise<Database> {
  const path = sqlitePath(url);
  if (path === undefined) throw new Error('DATABASE_URL names no file. Write it as sqlite:./data/NAME.db.');
  // `sqlite://data/x.db` is probably meant to be relative, and would be at the root of the file system.
  if (path.startsWith('//')) {
    throw new Error(
      'DATABASE_URL begins with sqlite:// and a name. Write sqlite:./data/NAME.db for a path relative to the working directory, or sqlite:/srv/NAME.db for an absolute one.',
    );
  }
  if (path !== ':memory:') await explainingFile(resolve(path), () => mkdir(dirname(path), { recursive: true }));
  const { processes, synchronous, watch } = settings;
  const { openSqlite } = await import('./sqlite.ts').catch(explainMissingModule('`databases: [sqlite]`'));
  return openSqlite({ path, limits: settings, processes, synchronous, ...(watch && { watch }) });
}

/** Opens a database with a driver that is loaded on demand and may not be installed. */
async function openWith(name: string, open: () => Promise<Database>): Promise<Database> {
  try {
    return await open();
  } catch (error) {
    if (codeOf(error) !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new Error(`The driver of the database is not installed: npm install ${name} --workspace runtime`, {
      cause: error,
    });
  }
}

/**
 * Opens the database of a URL: `sqlite:` and a path, relative to the working directory, whose folder is created
 * (`sqlite::memory:` is a temporary file); `postgres://`; `mysql://` or `mariadb://`. Throws for any other scheme, and if
 * there is no server. The message does not repeat the URL, which may hold a password.
 */
export async function openDatabase(
  url: string,
  settings: DatabaseSettings = DEFAULT_DATABASE_SETTINGS,
): Promise<Database> {
  const scheme = /^(?<scheme>[a-z][a-z0-9+.-]*):/iu.exec(url)?.groups?.['scheme']?.toLowerCase();
  switch (scheme) {
    case 'sqlite':
      return openFile(url, settings);
    case 'postgres':
    case 'postgresql':
      return openWith('pg', async () => {
        const { openPostgres } = await import('./postgres.ts').catch(explainMissingModule('`databases: [postgres]`'));
        return openPostgres(url, settings);
      });
    case 'mysql':
    case 'mariadb':
      return openWith('mysql2', async () => {
        const { openMysql } = await import('./mysql.ts').catch(explainMissingModule('`databases: [mysql]`'));
        return openMysql(url, settings);
      });
    case undefined:
      throw new Error(`DATABASE_URL has no scheme. ${DRIVERS}`);
    default:
      throw new Error(`DATABASE_URL has the unknown scheme ${scheme}. ${DRIVERS}`);
  }
}
