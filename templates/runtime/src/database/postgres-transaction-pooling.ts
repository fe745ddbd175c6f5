/**
 * Connections through a pooler in transaction mode, such as PgBouncer: each transaction may run on another server
 * connection, which has neither the prepared statements nor the settings of the previous one. So statements are unnamed, and
 * each transaction applies the settings it needs in the same round trip.
 */
import type { PostgresStatement } from './postgres-batch.ts';
import type { Result } from './write-plan.ts';

const START = 'START TRANSACTION';
const END = /^(?:COMMIT|ROLLBACK)$/u;

export interface TransactionPooling {
  /** The statements, with the one that applies the settings they need. */
  wrap(statements: readonly PostgresStatement[]): readonly PostgresStatement[];
  /** The results without that of the added statement. */
  unwrap(sent: readonly PostgresStatement[], results: readonly Result[]): readonly Result[];
}

/** `settings`: those of each transaction, by their PostgreSQL names. */
export function createTransactionPooling(settings: Readonly<Record<string, string>>): TransactionPooling {
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
      // Ending a transaction needs no settings; outside of it they would not last anyway.
      if (wasOpen || !first || END.test(first.text)) return statements;
      if (!isStart) return [setting, ...statements];
      // Overrides `default_transaction_isolation` of the database.
      const text = first.text === START ? `${START} ISOLATION LEVEL READ COMMITTED` : first.text;
      return [{ ...first, text }, setting, ...rest];
    },
    unwrap: (sent, results) => results.filter((_, index) => sent[index] !== setting),
  };
}
