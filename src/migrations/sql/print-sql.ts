/** Prints a migration as SQL files. */
import type { MigrationPlan } from '#contract/migrations/plan.ts';
import type { Dialect } from '../../model/content-model.ts';
import { ENGINE_NAMES } from '../../storage/engine-names.ts';
import { withChecks } from '../plan/checks.ts';
import { COMMIT, EACH } from './markers.ts';
import { mysqlStep } from './mysql.ts';
import { postgresStep, postgresStepApart } from './postgres.ts';
import { sectionsOf } from '../plan/postgres-sections.ts';
import { safetyNotes } from '../plan/safety.ts';
import { sqlComment } from './text/sql-text.ts';
import { sqliteSectionsOf } from '../plan/sqlite-sections.ts';
import { sqliteStep } from './sqlite.ts';
import { splitForeignKeys, type Step, undoSteps } from '../plan/step.ts';

function stepsOf({ changes }: MigrationPlan, dialect: Dialect): readonly Step[] {
  return dialect === 'sqlite' ? changes : splitForeignKeys(changes);
}

function statementsOf(step: Step, dialect: Dialect): readonly string[] {
  switch (dialect) {
    case 'sqlite':
      return sqliteStep(step);
    case 'postgres':
      return postgresStep(step);
    case 'mysql':
      return mysqlStep(step);
  }
}

/** The part of the schema that a step results from, with its location. */
function aboutOf({ cause = '' }: Step, { sources = {} }: MigrationPlan): string {
  const source = Object.hasOwn(sources, cause) ? sources[cause] : undefined;
  return source === undefined ? cause : `${cause} (${source})`;
}

/** Adds a blank line before a marker comment. */
function spaced(line: string, index: number): string {
  return index > 0 && line.startsWith('-- content-gen: ') ? `\n${line}` : line;
}

/** Statements under a comment with their cause; consecutive steps with the same cause share it. */
function blocksOf(
  plan: MigrationPlan,
  steps: readonly Step[],
  statementsFor: (step: Step) => readonly string[],
): readonly string[] {
  const blocks: string[] = [];
  let last: string | undefined;
  for (const step of steps) {
    const lines =
      step.kind === 'lost' ? [sqlComment(`irreversible: ${step.what} can't be brought back`)] : statementsFor(step);
    if (lines.length === 0) continue;
    const about = aboutOf(step, plan);
    const text = `${lines.map(spaced).join('\n')}\n`;
    if (about === last) blocks.push(`${blocks.pop() ?? ''}${text}`);
    else blocks.push(`${sqlComment(about)}\n${text}`);
    last = about;
  }
  return blocks;
}

/** Adds the marker at the start of each section. Statements that run in batches have their own. */
function inSections(
  sections: readonly { readonly kind: 'transaction' | 'each' | 'batches'; readonly blocks: readonly string[] }[],
): readonly string[] {
  return sections
    .filter(({ blocks }) => blocks.length > 0)
    .flatMap(({ kind, blocks }, index) => {
      if (kind === 'each') return [EACH, ...blocks];
      return kind === 'transaction' && index > 0 ? [COMMIT, ...blocks] : blocks;
    });
}

/** The blocks of all steps for an engine. */
function allBlocks(
  plan: MigrationPlan,
  steps: readonly Step[],
  dialect: Dialect,
  maxLocks?: number,
): readonly string[] {
  const plain = (step: Step): readonly string[] => statementsOf(step, dialect);
  switch (dialect) {
    case 'mysql':
      return blocksOf(plan, steps, plain);
    case 'sqlite':
      return inSections(
        sqliteSectionsOf(steps).map(({ kind, steps: own }) => ({ kind, blocks: blocksOf(plan, own, plain) })),
      );
    case 'postgres':
      return inSections(
        sectionsOf(steps, maxLocks).map(({ kind, steps: own }) => ({
          kind,
          blocks: blocksOf(plan, own, kind === 'each' ? postgresStepApart : plain),
        })),
      );
  }
}

function file(header: readonly string[], blocks: readonly string[]): string {
  const rest = blocks.length > 0 ? blocks : [`${sqlComment('The database itself does not change.')}\n`];
  return [`${header.map(sqlComment).join('\n')}\n`, ...rest].join('\n');
}

/** For a migration in two parts: when to run this part. */
function partNotes({ part }: MigrationPlan): readonly string[] {
  switch (part) {
    case 'expand':
      return [
        'Servers of the previous version and of this one can run side by side until the next migration is applied.',
      ];
    case 'contract':
      return [
        'A starting server applies this part only to a database that no server has used. When no server of the previous version is running: npm run server -- migrate up --contract',
      ];
    default:
      return [];
  }
}

const WRITE_HERE = [
  'Write the statements here, each ending in a semicolon. If there is nothing to do on this database, write: -- nothing to do',
  'Then run: content-gen migrations seal. Until then no server applies it.',
];

/**
 * The text of `up.sql` and `down.sql`: statements that end in `;`, one clause per line, under comments with their causes. `maxLocks` is
 * the maximum number of locks per PostgreSQL transaction.
 */
export function printSql(
  plan: MigrationPlan,
  dialect: Dialect,
  maxLocks?: number,
): { readonly up: string; readonly down: string } {
  const title = (what: string): string => `${plan.name}: ${what} on ${ENGINE_NAMES[dialect]}`;
  if (plan.handWritten) {
    return {
      up: `${[title('applied'), ...WRITE_HERE].map(sqlComment).join('\n')}\n`,
      down: `${[title('undone'), ...WRITE_HERE].map(sqlComment).join('\n')}\n`,
    };
  }
  const plain = stepsOf(plan, dialect);
  const steps = withChecks(plain, dialect, 'up');
  const undo = withChecks(undoSteps(plain), dialect, 'down');
  return {
    up: file(
      [title('applied'), ...partNotes(plan), ...safetyNotes(plan, dialect)],
      allBlocks(plan, steps, dialect, maxLocks),
    ),
    down: file([title('undone')], allBlocks(plan, undo, dialect, maxLocks)),
  };
}
