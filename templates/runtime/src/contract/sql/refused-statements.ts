/**
 * Statements that SQL of a migration must not contain. The migrator runs a migration in a transaction together with the
 * record that it is applied: a statement that ends the transaction would keep the one without the other.
 */
import { readScript } from '../migrations/read-script.ts';
import { statementCount } from '../migrations/script.ts';
import { type SqlStatement, statementsOf } from './statements.ts';
import type { SqlEngine } from './tokens.ts';

/** A statement that the migrator does not run. */
export interface RefusedStatement {
  /** Its line in the script, from 1. */
  readonly line: number;
  /** `COMMIT would end the transaction …`. */
  readonly reason: string;
  /** What to do instead. */
  readonly advice: string;
}

/** What is wrong with a kind of statement, and what to do about it. */
type Objection = readonly [what: string, advice: string];
/** The kind is told by its words, separated by a space. */
type Rule = readonly [words: RegExp, ...objection: Objection];

const ENDS = 'would end, split or change the transaction in which the migrator runs the migration';
const LEAVE_OUT = 'Leave it out: the migrator begins and ends transactions';
const OUTSIDE = "can't run in a transaction, and the migrator runs migrations in one";
const BY_HAND = 'Run it by hand, outside of the migrations';
const LEAVES = 'would change the session of the migrator';
const CLIENT = 'is a command of a database client, and no SQL';
const WRITE_SQL = 'Write the statements themselves';

const TRANSACTION =
  /^(?:BEGIN(?! NOT ATOMIC)|START TRANSACTION|COMMIT|END|ROLLBACK|SAVEPOINT|RELEASE)\b|^SET (?:(?:SESSION|LOCAL|GLOBAL) )?(?:TRANSACTION|CHARACTERISTICS)\b/u;

/** The settings of SQLite that a script may read and write within a transaction. */
const PRAGMAS =
  'APPLICATION_ID|DEFER_FOREIGN_KEYS|FOREIGN_KEY_CHECK|FOREIGN_KEY_LIST|INDEX_INFO|INDEX_LIST|INDEX_XINFO|INTEGRITY_CHECK|OPTIMIZE|QUICK_CHECK|TABLE_INFO|TABLE_LIST|TABLE_XINFO|USER_VERSION';

const RULES: Readonly<Record<SqlEngine, readonly Rule[]>> = {
  sqlite: [
    [TRANSACTION, ENDS, LEAVE_OUT],
    [/^(?:VACUUM|ATTACH|DETACH)\b/u, OUTSIDE, BY_HAND],
    [
      new RegExp(`^PRAGMA (?!(?:\\w+ \\. )?(?:${PRAGMAS})\\b)`, 'u'),
      'has no effect in a transaction, or outlives it',
      BY_HAND,
    ],
    [/^\. \w/u, CLIENT, WRITE_SQL],
  ],
  postgres: [
    [TRANSACTION, ENDS, LEAVE_OUT],
    [/^(?:ABORT|PREPARE TRANSACTION)\b/u, ENDS, LEAVE_OUT],
    [/^(?:RE)?SET (?:(?:SESSION|LOCAL) )?(?:DEFAULT_)?TRANSACTION_/u, ENDS, LEAVE_OUT],
    [/^(?:VACUUM|(?:CREATE|DROP) (?:DATABASE|TABLESPACE)|ALTER SYSTEM|DISCARD ALL)\b/u, OUTSIDE, BY_HAND],
    [/^REINDEX (?:.* )?(?:CONCURRENTLY|DATABASE|SYSTEM|SCHEMA)\b/u, OUTSIDE, BY_HAND],
    [/^COPY .*(?:FROM STDIN|TO STDOUT)\b/u, CLIENT, 'Write INSERT statements'],
  ],
  mysql: [
    [TRANSACTION, ENDS, LEAVE_OUT],
    [/^XA\b/u, ENDS, LEAVE_OUT],
    [/^(?:UN)?LOCK TABLES?\b/u, ENDS, 'Leave it out: each statement is committed by itself'],
    [/^USE\b/u, LEAVES, 'Name the database before the table, as in `other`.`table`'],
    [/^SOURCE\b/u, CLIENT, WRITE_SQL],
  ],
};

/** Variables of MySQL on which transactions depend. */
const TRANSACTION_VARIABLES =
  /^(?:AUTOCOMMIT|COMPLETION_TYPE|TX_ISOLATION|TX_READ_ONLY|TRANSACTION_ISOLATION|TRANSACTION_READ_ONLY)$/u;

/** Whether a `SET` of MySQL sets one of these variables: `SET @x = 1, SESSION autocommit = 0`. */
function setsTransactions({ words }: SqlStatement): boolean {
  return (
    words[0] === 'SET' &&
    words.some((word, at) => {
      const isOwn = words[at - 1] === '@' && words[at - 2] !== '@';
      const isSet = words[at + 1] === '=' || words[at + 1] === ':';
      return isSet && !isOwn && TRANSACTION_VARIABLES.test(word.replaceAll('`', '').toUpperCase());
    })
  );
}

const CONCURRENTLY = /^(?:CREATE (?:UNIQUE )?|DROP )INDEX CONCURRENTLY\b/u;
const BY_ITSELF: Objection = [
  OUTSIDE,
  'Put the line `-- content-gen: each by itself` before it, which the migrator understands',
];

/** Whether PostgreSQL runs each statement of a script outside of transactions. */
function whichRunApart(script: string, engine: SqlEngine): readonly boolean[] {
  if (engine !== 'postgres') return [];
  return readScript(script, engine).parts.flatMap((part) =>
    Array.from({ length: statementCount(part) }, () => part.runs === 'concurrently'),
  );
}

/** How a statement begins, for messages. */
const SHOWN = 40;

function refusal(statement: SqlStatement, runsApart: boolean, engine: SqlEngine): Objection | undefined {
  const words = statement.words.join(' ');
  // `\i file` of psql, `\. file` of MySQL's client.
  if (engine !== 'sqlite' && statement.words.includes('\\')) return [CLIENT, WRITE_SQL];
  const rule = RULES[engine].find(([pattern]) => pattern.test(words));
  if (rule) return [rule[1], rule[2]];
  if (engine === 'mysql' && setsTransactions(statement)) return [ENDS, LEAVE_OUT];
  const isConcurrent = engine === 'postgres' && CONCURRENTLY.test(words);
  return isConcurrent && !runsApart ? BY_ITSELF : undefined;
}

function lineAt(script: string, at: number): number {
  return script.slice(0, at).split('\n').length;
}

/** What is wrong with a statement; undefined if the migrator runs it. */
function objectionTo(statement: SqlStatement, runsApart: boolean, engine: SqlEngine): Objection | undefined {
  const found = refusal(statement, runsApart, engine);
  if (found || !statement.isUnfinished) return found;
  return ['has a string, comment or body that does not end', 'End it'];
}

/** The statements of a script that the migrator does not run, and what it can't read to the end. */
export function refusedStatements(script: string, engine: SqlEngine): readonly RefusedStatement[] {
  const apart = whichRunApart(script, engine);
  return statementsOf(script, engine).flatMap((statement, index): readonly RefusedStatement[] => {
    const objection = objectionTo(statement, apart[index] === true, engine);
    if (!objection) return [];
    const [what, advice] = objection;
    const text =
      script
        .slice(statement.at, statement.at + SHOWN)
        .split('\n', 1)[0]
        ?.split(';', 1)[0]
        ?.trim() ?? '';
    return [{ line: lineAt(script, statement.at), reason: `\`${text}\` ${what}`, advice }];
  });
}
