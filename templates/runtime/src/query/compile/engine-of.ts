/** Finds the query engine of a dialect. */
import type { Dialect } from '../../database/dialect.ts';
import { flavourOf } from '../../database/mysql-dialect.ts';
import type { QueryEngine } from './engine.ts';
import { mysqlEngines } from './mysql-engine.ts';
import { postgresEngine } from './postgres-engine.ts';
import { sqliteEngine } from './sqlite-engine.ts';

/** The query engine of a dialect. */
export function engineOf(dialect: Dialect): QueryEngine {
  switch (dialect.name) {
    case 'sqlite':
      return sqliteEngine;
    case 'postgres':
      return postgresEngine;
    case 'mysql':
      return mysqlEngines[flavourOf(dialect)];
  }
}
