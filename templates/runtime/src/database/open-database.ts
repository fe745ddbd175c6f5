/** Opens the database that `DATABASE_URL` names. */
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Database } from './database.ts';

const DRIVERS = 'This server has drivers for: sqlite (sqlite:./data/NAME.db).';

/** The file of `sqlite:./data/x.db`, `sqlite:/srv/x.db` or `sqlite:///srv/x.db`. Undefined for another scheme. */
function sqlitePath(url: string): string | undefined {
  const path = /^sqlite:(?:\/\/(?=\/))?(?<path>.*)$/u.exec(url)?.groups?.['path'];
  if (path === '') {
    throw new Error(`DATABASE_URL names no file. Write it as sqlite:./data/NAME.db.`);
  }
  return path;
}

/**
 * Opens the database of a URL: `sqlite:` and a path, relative to the working directory; its folder is created.
 * `sqlite::memory:` is a temporary file. Throws for any other scheme, without repeating the URL: it may hold a password.
 */
export async function openDatabase(url: string): Promise<Database> {
  const path = sqlitePath(url);
  if (path === undefined) {
    const scheme = /^(?<scheme>[a-z][a-z0-9+.-]*):/iu.exec(url)?.groups?.['scheme'];
    throw new Error(`DATABASE_URL ${scheme === undefined ? 'has no scheme' : `asks for ${scheme}`}. ${DRIVERS}`);
  }
  if (path !== ':memory:') {
    await mkdir(dirname(path), { recursive: true });
  }
  const { openSqlite } = await import('./sqlite.ts');
  return openSqlite({ path });
}
