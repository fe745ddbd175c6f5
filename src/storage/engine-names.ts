import type { Dialect } from '../model/content-model.ts';

/** What people call the databases. */
export const ENGINE_NAMES: Readonly<Record<Dialect, string>> = {
  sqlite: 'SQLite',
  postgres: 'PostgreSQL',
  mysql: 'MySQL and MariaDB',
};
