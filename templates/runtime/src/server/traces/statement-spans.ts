/** A span for each statement or batch, following the semantic conventions of OpenTelemetry for databases. */
import type { Attributes, Tracer } from '@opentelemetry/api';
import type { Sql } from '../../database/sql.ts';
import type { StatementWatch } from '../../database/statement-watch.ts';
import { copyPrefix } from './copy-prefix.ts';
import type { TracePackages } from './trace-packages.ts';

/** Maximum length of the statement text in a span, in characters. */
const MAX_TEXT = 4000;

const SYSTEMS: Readonly<Record<string, string>> = {
  sqlite: 'sqlite',
  postgres: 'postgresql',
  postgresql: 'postgresql',
};

/** The attributes of all statements of a database. `url` may contain a password, which is left out. */
export function databaseAttributes(url: string): Attributes {
  const scheme = url.slice(0, url.indexOf(':')).toLowerCase();
  const system = { 'db.system.name': SYSTEMS[scheme] ?? scheme };
  const name = /^[^:]+:\/\/[^/]*\/(?<name>[^/?#@]+)(?:[?#]|$)/u.exec(url)?.groups?.['name'];
  return scheme === 'sqlite' || name === undefined ? system : { ...system, 'db.namespace': name };
}

/** The operation of a statement: `SELECT`. Undefined if it doesn't begin with one, as with a common table expression. */
function operationOf({ text }: Sql): string | undefined {
  const [word = ''] = /^\s*[A-Za-z]+/u.exec(text) ?? [];
  const operation = word.trim().toUpperCase();
  return operation === '' || operation === 'WITH' ? undefined : operation;
}

/** `BATCH INSERT` if all statements have the same operation, else `BATCH`. */
function batchOperation(statements: readonly Sql[]): string {
  const operations = new Set(statements.map(operationOf));
  const [operation] = operations;
  return operations.size === 1 && operation !== undefined ? `BATCH ${operation}` : 'BATCH';
}

/** The attributes of statements. Their text contains placeholders instead of values. */
function attributesOf(statements: readonly Sql[]): Attributes {
  const [first] = statements;
  const isBatch = statements.length > 1;
  const operation = isBatch ? batchOperation(statements) : first && operationOf(first);
  let text = '';
  for (const statement of statements) {
    if (text.length >= MAX_TEXT) break;
    text += text === '' ? statement.text : `; ${statement.text}`;
  }
  return {
    'db.query.text': text.length > MAX_TEXT ? copyPrefix(text, MAX_TEXT) : text,
    ...(operation !== undefined && { 'db.operation.name': operation }),
    ...(isBatch && { 'db.operation.batch.size': statements.length }),
  };
}

const notTraced = (): void => undefined;

/**
 * Creates spans below that of the request, or below one that the project's code has started. Without either there are none: statements
 * that the server runs periodically for itself aren't worth a trace.
 */
export function statementSpans(api: TracePackages['api'], tracer: Tracer, database: Attributes): StatementWatch {
  return {
    sent(statements) {
      if (api.trace.getActiveSpan()?.isRecording() !== true) return notTraced;
      const attributes = { ...database, ...attributesOf(statements) };
      const name = String(attributes['db.operation.name'] ?? attributes['db.system.name']);
      const span = tracer.startSpan(name, { kind: api.SpanKind.CLIENT, attributes });
      return (error) => {
        if (error !== undefined) {
          // Only the name, since the message may contain values.
          const type = error instanceof Error ? error.name : '_OTHER';
          span.setStatus({ code: api.SpanStatusCode.ERROR }).setAttribute('error.type', type);
        }
        span.end();
      };
    },
  };
}
