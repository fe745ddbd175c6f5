/** A migration as SQL files. */
import type { Dialect } from '../model/content-model.ts';
import type { MigrationPlan } from './change.ts';
import { mysqlStep } from './mysql.ts';
import { postgresStep } from './postgres.ts';
import { sqlComment } from './sql-text.ts';
import { sqliteStep } from './sqlite.ts';
import { postponeForeignKeys, type StepSql } from './step.ts';

const ENGINE_NAMES: Readonly<Record<Dialect, string>> = {
  sqlite: 'SQLite',
  postgres: 'PostgreSQL',
  mysql: 'MySQL and MariaDB',
};

function stepsOf({ changes }: MigrationPlan, dialect: Dialect): readonly StepSql[] {
  switch (dialect) {
    case 'sqlite':
      return changes.map(sqliteStep);
    case 'postgres':
      return postponeForeignKeys(changes).map(postgresStep);
    case 'mysql':
      return postponeForeignKeys(changes).map(mysqlStep);
  }
}

function file(header: string, parts: readonly (readonly [string, readonly string[]])[]): string {
  const blocks = parts.map(([about, statements]) => `${sqlComment(about)}\n${statements.join('\n')}\n`);
  return [`${sqlComment(header)}\n`, ...blocks].join('\n');
}

/** The text of `up.sql` and `down.sql`: statements that end in `;`, one clause a line, each under what it is about. */
export function printSql(plan: MigrationPlan, dialect: Dialect): { readonly up: string; readonly down: string } {
  const steps = stepsOf(plan, dialect);
  const title = (what: string): string => `${plan.name}: ${what} on ${ENGINE_NAMES[dialect]}`;
  return {
    up: file(
      title('applied'),
      steps.map(({ about, up }) => [about, up] as const),
    ),
    down: file(
      title('undone'),
      steps.toReversed().map(({ about, down }) => [about, down] as const),
    ),
  };
}
