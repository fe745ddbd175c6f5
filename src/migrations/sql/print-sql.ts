/** Prints a migration as SQL files. */
import { mysqlEffect } from '#contract/migrations/mysql-effect.ts';
import type { MigrationPlan } from '#contract/migrations/plan.ts';
import {
  addStatement,
  type EngineScripts,
  type Guard,
  type Script,
  type ScriptPart,
} from '#contract/migrations/script.ts';
import { statementsOf } from '#contract/sql/statements.ts';
import type { Dialect } from '../../model/content-model.ts';
import { ENGINE_NAMES } from '../../storage/engine-names.ts';
import { withChecks } from '../plan/checks.ts';
import { COMMIT, EACH } from './markers.ts';
import { mysqlStep } from './mysql.ts';
import { postgresStep, postgresStepApart } from './postgres.ts';
import { sectionsOf } from '../plan/postgres-sections.ts';
import { type NotedStatement, type SqlLine, textOfLine } from './sql-line.ts';
import { safetyNotes } from '../plan/safety.ts';
import { sqlComment } from './text/sql-text.ts';
import { sqliteSectionsOf } from '../plan/sqlite-sections.ts';
import { sqliteStep } from './sqlite.ts';
import { splitForeignKeys, type Step, undoSteps } from '../plan/step.ts';

function stepsOf({ changes }: MigrationPlan, dialect: Dialect): readonly Step[] {
  return dialect === 'sqlite' ? changes : splitForeignKeys(changes);
}

const PRINTERS: Readonly<Record<Dialect, (step: Step) => readonly SqlLine[]>> = {
  sqlite: sqliteStep,
  postgres: postgresStep,
  mysql: mysqlStep,
};

/** The part of the schema that a step results from, with its location. */
function aboutOf({ cause = '' }: Step, { sources = {} }: MigrationPlan): string {
  const source = Object.hasOwn(sources, cause) ? sources[cause] : undefined;
  return source === undefined ? cause : `${cause} (${source})`;
}

/** Adds a blank line before a marker comment. */
function spaced(line: string, index: number): string {
  return index > 0 && line.startsWith('-- content-gen: ') ? `\n${line}` : line;
}

/** The lines of a step, under the part of the schema that it results from. */
interface Block {
  readonly about: string;
  readonly lines: readonly SqlLine[];
}

/** Consecutive steps of one section. */
interface Section {
  readonly kind: 'transaction' | 'each' | 'batches';
  readonly blocks: readonly Block[];
}

function blocksOf(
  plan: MigrationPlan,
  steps: readonly Step[],
  print: (step: Step) => readonly SqlLine[],
): readonly Block[] {
  return steps.flatMap((step): readonly Block[] => {
    const lines = step.kind === 'lost' ? [sqlComment(`irreversible: ${step.what} can't be brought back`)] : print(step);
    return lines.length === 0 ? [] : [{ about: aboutOf(step, plan), lines }];
  });
}

/** The steps in sections for an engine. MySQL commits each statement by itself. */
function sectionsFor(
  plan: MigrationPlan,
  steps: readonly Step[],
  dialect: Dialect,
  maxLocks?: number,
): readonly Section[] {
  const sections = {
    sqlite: () => sqliteSectionsOf(steps),
    postgres: () => sectionsOf(steps, maxLocks),
    mysql: () => [{ kind: 'transaction', steps }] as const,
  }[dialect]();
  return sections
    .map(({ kind, steps: own }) => {
      const print = dialect === 'postgres' && kind === 'each' ? postgresStepApart : PRINTERS[dialect];
      return { kind, blocks: blocksOf(plan, own, print) };
    })
    .filter(({ blocks }) => blocks.length > 0);
}

/** The text of blocks: consecutive ones with the same cause share a comment. */
function textsOfBlocks(blocks: readonly Block[]): readonly string[] {
  const texts: string[] = [];
  let last: string | undefined;
  for (const { about, lines } of blocks) {
    const text = `${lines.map(textOfLine).map(spaced).join('\n')}\n`;
    if (about === last) texts.push(`${texts.pop() ?? ''}${text}`);
    else texts.push(`${sqlComment(about)}\n${text}`);
    last = about;
  }
  return texts;
}

/** The text of all sections, with a marker at the start of each. Statements that run in batches have their own. */
function textsOfSections(sections: readonly Section[]): readonly string[] {
  return sections.flatMap(({ kind, blocks }, index) => {
    const texts = textsOfBlocks(blocks);
    if (kind === 'each') return [EACH, ...texts];
    return kind === 'transaction' && index > 0 ? [COMMIT, ...texts] : texts;
  });
}

/** How sections run. */
function scriptOf(sections: readonly Section[], dialect: Dialect): Script {
  const parts: ScriptPart[] = [];
  const guards: Guard[] = [];
  let at = 0;
  for (const { kind, blocks } of sections) {
    let isNew = true;
    for (const line of blocks.flatMap(({ lines }) => lines)) {
      const text = textOfLine(line);
      if (text.startsWith('--')) continue;
      const { ranges, creates, guard } = typeof line === 'string' ? ({} as Partial<NotedStatement>) : line;
      if (guard) guards.push({ at, ...guard });
      if (ranges) {
        parts.push({ runs: 'ranges', ...ranges });
      } else if (creates !== undefined) {
        parts.push({ runs: 'concurrently', creates });
      } else if (dialect === 'mysql') {
        addStatement(parts, mysqlEffect(statementsOf(text, dialect)[0]?.words ?? []), false);
      } else {
        addStatement(parts, kind === 'transaction' ? 'transaction' : 'each', isNew);
      }
      isNew = false;
      at += 1;
    }
  }
  return { parts, ...(guards.length > 0 ? { guards } : {}) };
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
 * The texts of `up.sql` and `down.sql`: statements that end in `;`, one clause per line, under comments with their causes; and how
 * they run, unless they are still to be written. `maxLocks` is the maximum number of locks per PostgreSQL transaction.
 */
export function printSql(
  plan: MigrationPlan,
  dialect: Dialect,
  maxLocks?: number,
): { readonly up: string; readonly down: string; readonly scripts?: EngineScripts } {
  const title = (what: string): string => `${plan.name}: ${what} on ${ENGINE_NAMES[dialect]}`;
  if (plan.handWritten) {
    return {
      up: `${[title('applied'), ...WRITE_HERE].map(sqlComment).join('\n')}\n`,
      down: `${[title('undone'), ...WRITE_HERE].map(sqlComment).join('\n')}\n`,
    };
  }
  const plain = stepsOf(plan, dialect);
  const up = sectionsFor(plan, withChecks(plain, dialect, 'up'), dialect, maxLocks);
  const down = sectionsFor(plan, withChecks(undoSteps(plain), dialect, 'down'), dialect, maxLocks);
  return {
    up: file([title('applied'), ...partNotes(plan), ...safetyNotes(plan, dialect)], textsOfSections(up)),
    down: file([title('undone')], textsOfSections(down)),
    scripts: { up: scriptOf(up, dialect), down: scriptOf(down, dialect) },
  };
}
