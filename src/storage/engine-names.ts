import type { Dialect } from '../model/content-model.ts';

/** Display names of the databases. */
export const ENGINE_NAMES: Readonly<Record<Dialect, string>> = {
  sqlite: 'SQLite',
  postgres: 'PostgreSQL',
  mysql: 'MySQL and MariaDB',
};
