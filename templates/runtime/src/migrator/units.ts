/** Divides scripts into units that run separately, as their plans say. */
import { readScript } from '../contract/migrations/read-script.ts';
import { type Script, type ScriptPart, statementCount } from '../contract/migrations/script.ts';
import { type SqlStatement, statementsOf } from '../contract/sql/statements.ts';
import type { SqlEngine } from '../contract/sql/tokens.ts';
import { MigrationError } from './migration-error.ts';
import type { Migration } from './read-migrations.ts';

/** What runs at once: a transaction, or a single statement. */
export interface Unit {
  readonly part: ScriptPart;
  readonly statements: readonly SqlStatement[];
  /** All of them as one script. */
  readonly text: string;
}

/** How a script runs: as its plan says. Plans of former formats don't, and the script itself does. */
export function scriptOf({ plan, ...texts }: Migration, direction: 'up' | 'down', engine: SqlEngine): Script {
  return plan.scripts?.[engine]?.[direction] ?? readScript(texts[direction], engine);
}

/** Whether a script is more than one transaction. */
export function isDivided({ parts }: Script): boolean {
  return parts.length > 1 || parts.some(({ runs }) => runs !== 'transaction');
}

/** The statements of each unit that a part consists of. */
function unitsOfPart(part: ScriptPart, statements: readonly SqlStatement[]): readonly Unit[] {
  // A statement may end in a comment.
  const unit = (own: readonly SqlStatement[]): Unit => ({
    part,
    statements: own,
    text: own.map(({ text }) => text).join('\n;\n'),
  });
  return part.runs === 'transaction' ? [unit(statements)] : statements.map((statement) => unit([statement]));
}

/** The units of a script, in order. Throws a MigrationError if its plan is about another script. */
export function unitsOf(migration: Migration, direction: 'up' | 'down', engine: SqlEngine): readonly Unit[] {
  const { parts } = scriptOf(migration, direction, engine);
  const statements = statementsOf(migration[direction], engine);
  const count = parts.reduce((sum, part) => sum + statementCount(part), 0);
  if (count !== statements.length) {
    throw new MigrationError(
      `migrations/${migration.name}/${engine}/${direction}.sql has ${statements.length} statements, but plan.json is about ${count}. ` +
        'If the SQL was edited, seal it: npx content-gen migrations seal',
    );
  }
  let end = 0;
  return parts.flatMap((part) => {
    const start = end;
    end += statementCount(part);
    return unitsOfPart(part, statements.slice(start, end));
  });
}
