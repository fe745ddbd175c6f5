/** The settings of test servers. */
import { join } from 'node:path';
import { readSettings, type Settings } from '../server/settings.ts';

const SETTINGS = {
  NODE_ENV: 'test',
  HOST: '127.0.0.1',
  PORT: '0',
  LOG_LEVEL: 'error',
  AUTH_RATE_LIMIT: '0',
  AUTH_PASSWORD_COST: '8',
};

/** Settings of a server with its files in `folder`; `environment` overrides them. */
export function testSettings(
  name: string,
  folder: string,
  environment: Readonly<Record<string, string>> = {},
): Settings {
  const own = { DATABASE_URL: `sqlite:${join(folder, 'test.db')}`, UPLOAD_DIR: join(folder, 'uploads') };
  return readSettings(name, { ...SETTINGS, ...own, ...environment });
}
