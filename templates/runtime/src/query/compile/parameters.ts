/**
 * Late parameters, whose values are known only when a statement runs. In place of the value, a compiled statement contains a
 * function of the values that a query binds, so that one statement serves all queries of a shape.
 */
import type { Executor } from '../../database/executor.ts';
import { sql, type Sql, type SqlParam, type SqlValue } from '../../database/sql.ts';
import { type Operand, valueIn } from '../bindings.ts';

type Values = readonly unknown[];

class LateParameter {
  readonly operands: readonly Operand[];
  readonly valueOf: (values: Values) => SqlValue;

  constructor(operands: readonly Operand[], valueOf: (values: Values) => SqlValue) {
    this.operands = operands;
    this.valueOf = valueOf;
  }

  /** Drivers serialize objects as JSON: a late parameter that gets there was never bound. */
  toJSON(): never {
    throw new Error('a statement was run before its values were bound');
  }
}

function late(operands: readonly Operand[], valueOf: (values: Values) => SqlValue): Sql {
  // `bound` replaces it before a statement runs, so drivers only see SqlValues.
  return { text: '?', params: [new LateParameter(operands, valueOf) as unknown as SqlValue] };
}

/** An operand as a parameter; `bind` converts its canonical value for the driver. */
export function parameter<T>(operand: Operand<T>, bind: (value: T) => SqlValue): Sql {
  if (operand.kind === 'constant') return sql`${bind(operand.value)}`;
  return late([operand], (values) => bind(values[operand.index] as T));
}

/** Several operands as one parameter. */
export function listParameter(operands: readonly Operand[], bind: (values: Values) => SqlValue): Sql {
  const valueOf = (values: Values) => bind(operands.map((operand) => valueIn(operand, values)));
  return operands.some(({ kind }) => kind === 'bound') ? late(operands, valueOf) : sql`${valueOf([])}`;
}

/** The parameters of a statement as text, in order: those that are bound late by the names of their values. */
export function namedParameters({ params }: Sql, nameOf: (index: number) => string): readonly string[] {
  const named = (operand: Operand): string =>
    operand.kind === 'bound' ? nameOf(operand.index) : String(operand.value);
  return params.map((param: unknown) =>
    param instanceof LateParameter ? param.operands.map(named).join(', ') : String(param),
  );
}

function bindStatement({ text, params }: Sql, values: Values): Sql {
  return {
    text,
    params: params.map((param: unknown) =>
      param instanceof LateParameter ? param.valueOf(values) : (param as SqlValue),
    ),
  };
}

/** The bound values of a statement's late parameters, each once, or all of its values if it has none. */
function comparedValues({ params }: Sql, bound: Sql): readonly SqlParam[] {
  const late = new Set(params.filter((param: unknown) => param instanceof LateParameter));
  if (late.size === 0) return bound.params;
  return bound.params.filter((_, index) => late.delete(params[index] as SqlParam));
}

/** For each value the index of the first one equal to it; undefined if all are distinct. */
function equalities(values: readonly SqlParam[]): readonly number[] | undefined {
  const firsts = new Map<SqlParam, number>();
  const indexes = values.map((value, index) => {
    const first = firsts.get(value) ?? index;
    firsts.set(value, first);
    return first;
  });
  return firsts.size === values.length ? undefined : indexes;
}

/** Adds a comment that tells which values are equal: each such pattern needs its own prepared statement (`keepsFirstPlan`). */
function keptApart(statement: Sql, bound: Sql): Sql {
  const equal = equalities(comparedValues(statement, bound));
  if (!equal || !statement.text.includes(' IN (SELECT ')) return bound;
  return { text: `${bound.text} /* ${equal.join(' ')} */`, params: bound.params };
}

/** An executor for reads that binds these values in its statements. */
export function bound(executor: Executor, values: Values): Executor {
  const { dialect } = executor;
  if (values.length === 0 && !dialect.keepsFirstPlan) return executor;
  const bind = (statement: Sql) => {
    const withValues = bindStatement(statement, values);
    return dialect.keepsFirstPlan ? keptApart(statement, withValues) : withValues;
  };
  return {
    dialect,
    all: (statement, options) => executor.all(bind(statement), options),
    get: (statement, options) => executor.get(bind(statement), options),
    run: () => Promise.reject(new Error("a read can't write")),
  };
}
