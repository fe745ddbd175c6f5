/**
 * Late parameters, whose values are known only when a statement runs. In place of the value, a compiled statement contains a
 * function of the values that a query binds, so that one statement serves all queries of a shape.
 */
import type { Executor } from '../../database/executor.ts';
import { sql, type Sql, type SqlValue } from '../../database/sql.ts';
import type { Operand } from '../bindings.ts';

type Values = readonly unknown[];

class LateParameter {
  readonly valueOf: (values: Values) => SqlValue;

  constructor(valueOf: (values: Values) => SqlValue) {
    this.valueOf = valueOf;
  }

  /** Drivers serialize objects as JSON: a late parameter that gets there was never bound. */
  toJSON(): never {
    throw new Error('a statement was run before its values were bound');
  }
}

function late(valueOf: (values: Values) => SqlValue): Sql {
  // `bound` replaces it before a statement runs, so drivers only see SqlValues.
  return { text: '?', params: [new LateParameter(valueOf) as unknown as SqlValue] };
}

function valueIn(operand: Operand, values: Values): unknown {
  return operand.kind === 'constant' ? operand.value : values[operand.index];
}

/** An operand as a parameter; `bind` converts its canonical value for the driver. */
export function parameter<T>(operand: Operand<T>, bind: (value: T) => SqlValue): Sql {
  if (operand.kind === 'constant') return sql`${bind(operand.value)}`;
  return late((values) => bind(values[operand.index] as T));
}

/** Several operands as one parameter. */
export function listParameter(operands: readonly Operand[], bind: (values: Values) => SqlValue): Sql {
  const valueOf = (values: Values) => bind(operands.map((operand) => valueIn(operand, values)));
  return operands.some(({ kind }) => kind === 'bound') ? late(valueOf) : sql`${valueOf([])}`;
}

function bindStatement({ text, params }: Sql, values: Values): Sql {
  return {
    text,
    params: params.map((param: unknown) =>
      param instanceof LateParameter ? param.valueOf(values) : (param as SqlValue),
    ),
  };
}

/** An executor for reads that binds these values in its statements. */
export function bound(executor: Executor, values: Values): Executor {
  if (values.length === 0) return executor;
  return {
    dialect: executor.dialect,
    all: (statement, options) => executor.all(bindStatement(statement, values), options),
    get: (statement, options) => executor.get(bindStatement(statement, values), options),
    run: () => Promise.reject(new Error("a read can't write")),
  };
}
