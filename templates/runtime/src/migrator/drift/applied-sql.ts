/**
 * What the SQL of applied migrations says of a name. Plans don't know what people have written: migrations of their own, and
 * edits of generated ones.
 */
import { splitStatements } from '../../database/split-statements.ts';
import type { DialectName } from '../../database/dialect.ts';
import type { MigrationFiles } from '../../contract/migration-sum.ts';

interface Script {
  readonly migration: string;
  readonly text: string;
}

interface Statement {
  /** Without comments before it. */
  readonly text: string;
  /** Whether a hand-written migration has it. */
  readonly isOwn: boolean;
}

/** The SQL of applied migrations, in their order. */
export interface AppliedSql {
  readonly scripts: readonly Script[];
  /** What may change tables, from the first hand-written migration on. */
  readonly statements: readonly Statement[];
}

const COMMENTS = /^(?:\s|--[^\n]*\n|\/\*(?!M?!)[\s\S]*?\*\/)*/u;
const CHANGES_TABLES = /^(?:CREATE|ALTER|DROP|RENAME|DO|CALL)\b/iu;

function isHandWritten({ files }: MigrationFiles): boolean {
  const text = files.get('plan.json') ?? '{}';
  // Large ones are not read for it.
  return (
    text.includes('"handWritten"') && (JSON.parse(text) as { readonly handWritten?: unknown }).handWritten === true
  );
}

/** Of the applied migrations of an engine. */
export function appliedSql(migrations: readonly MigrationFiles[], dialect: DialectName): AppliedSql {
  const scripts = migrations.map(({ name, files }) => ({
    migration: name,
    text: files.get(`${dialect}/up.sql`) ?? '',
  }));
  const own = new Set(migrations.filter(isHandWritten).map(({ name }) => name));
  const first = scripts.findIndex(({ migration }) => own.has(migration));
  const later = first === -1 ? [] : scripts.slice(first);
  const statements = later.flatMap(({ migration, text }) =>
    splitStatements(text).map((statement) => ({
      text: statement.replace(COMMENTS, ''),
      isOwn: own.has(migration),
    })),
  );
  return { scripts, statements: statements.filter(({ text }) => CHANGES_TABLES.test(text)) };
}

const WORD = /[\p{L}\p{N}_$]/u;

/** Whether a name stands in a text as a whole word. */
export function mentions(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    if (!WORD.test(text[at - 1] ?? ' ') && !WORD.test(text[at + name.length] ?? ' ')) return true;
  }
  return false;
}

/** Whether a hand-written migration has a statement that may change tables and names all of these. */
export function isOwnMatter({ statements }: AppliedSql, names: readonly string[]): boolean {
  return statements.some(({ text, isOwn }) => isOwn && names.every((name) => mentions(text, name)));
}

/** The last migration whose SQL names all of these. */
export function lastMention({ scripts }: AppliedSql, names: readonly string[]): string | undefined {
  return scripts.findLast(({ text }) => names.every((name) => mentions(text, name)))?.migration;
}
