/**
 * Searches the SQL of applied migrations for names. Plans don't know what people have written: hand-written migrations, and
 * edits of generated ones.
 */
import { statementsOf } from '../../contract/sql/statements.ts';
import type { DialectName } from '../../database/dialect.ts';
import type { MigrationFiles } from '../../contract/migration-sum.ts';
import { readPlans } from '../read-migrations.ts';

interface Script {
  readonly migration: string;
  readonly text: string;
}

interface Statement {
  /** Without leading comments. */
  readonly text: string;
  /** Whether it is from a hand-written migration. */
  readonly isHandWritten: boolean;
}

/** The SQL of applied migrations, in order. */
export interface AppliedSql {
  readonly scripts: readonly Script[];
  /** Statements that may change tables, from the first hand-written migration on. */
  readonly statements: readonly Statement[];
}

const CHANGE_TABLES: ReadonlySet<string> = new Set(['CREATE', 'ALTER', 'DROP', 'RENAME', 'DO', 'CALL']);

/** Collects the SQL of applied migrations for an engine. */
export function appliedSql(migrations: readonly MigrationFiles[], dialect: DialectName): AppliedSql {
  const scripts = migrations.map(({ name, files }) => ({
    migration: name,
    text: files.get(`${dialect}/up.sql`) ?? '',
  }));
  const own = new Set(readPlans(migrations).flatMap(({ name, handWritten }) => (handWritten ? [name] : [])));
  const first = scripts.findIndex(({ migration }) => own.has(migration));
  const later = first === -1 ? [] : scripts.slice(first);
  const statements = later.flatMap(({ migration, text }) =>
    statementsOf(text, dialect)
      .filter(({ words: [first = ''] }) => CHANGE_TABLES.has(first))
      .map(({ sql }) => ({ text: sql, isHandWritten: own.has(migration) })),
  );
  return { scripts, statements };
}

const WORD = /[\p{L}\p{N}_$]/u;

/** Whether a text contains a name as a whole word. */
export function mentions(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    if (!WORD.test(text[at - 1] ?? ' ') && !WORD.test(text[at + name.length] ?? ' ')) return true;
  }
  return false;
}

/** Whether a hand-written statement that may change tables names all of these. */
export function handWrittenSqlMentions({ statements }: AppliedSql, names: readonly string[]): boolean {
  return statements.some(({ text, isHandWritten }) => isHandWritten && names.every((name) => mentions(text, name)));
}

/** The last migration whose SQL names all of these. */
export function lastMention({ scripts }: AppliedSql, names: readonly string[]): string | undefined {
  return scripts.findLast(({ text }) => names.every((name) => mentions(text, name)))?.migration;
}
