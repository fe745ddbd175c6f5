/**
 * Connections over a pooler in transaction mode, such as PgBouncer: each transaction may meet another connection to the server, which has
 * neither the statements nor the settings of the one before. So no statement is named, and each transaction sets what it needs, in the
 * same round trip.
 */
import type { PostgresStatement } from './postgres-batch.ts';
import type { Result } from './write-plan.ts';

const START = 'START TRANSACTION';
const END = /^(?:COMMIT|ROLLBACK)$/u;

export interface Pooled {
  /** The statements with those that set what they need. */
  wrap(statements: readonly PostgresStatement[]): readonly PostgresStatement[];
  /** What was asked for, of what these statements were answered. */
  unwrap(sent: readonly PostgresStatement[], results: readonly Result[]): readonly Result[];
}

/** `settings`: what each transaction has, by the names of PostgreSQL. */
export function createPooled(settings: Readonly<Record<string, string>>): Pooled {
  const calls = Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', true)`);
  const setting: PostgresStatement = { text: `SELECT ${calls.join(', ')}`, name: undefined, params: [] };
  let isOpen = false;

  return {
    wrap(statements) {
      const [first, ...rest] = statements;
      const [wasOpen, isStart] = [isOpen, first?.text.startsWith(START) === true];
      if (isStart) isOpen = true;
      const last = statements.at(-1);
      if (last && END.test(last.text)) isOpen = false;
      // Its end needs no settings: nor would it be any, in a transaction of its own.
      if (wasOpen || !first || END.test(first.text)) return statements;
      if (!isStart) return [setting, ...statements];
      // What a database was told to begin with otherwise.
      const text = first.text === START ? `${START} ISOLATION LEVEL READ COMMITTED` : first.text;
      return [{ ...first, text }, setting, ...rest];
    },
    unwrap: (sent, results) => results.filter((_, index) => sent[index] !== setting),
  };
}
