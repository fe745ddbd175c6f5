/** The id of a row that a write plan inserts, for the statements that come after its INSERT. */
import type { Sql } from './sql.ts';

/**
 * Stands for an id among the parameters of statements. Once the INSERT is answered it is a number like any other; until then, in
 * the same batch, it is what the engine calls it.
 */
export class NewId {
  /** The table whose row it is the id of. */
  readonly table: string;
  #value: number | undefined;

  constructor(table: string) {
    this.table = table;
  }

  /** Undefined until the INSERT is answered. */
  get known(): number | undefined {
    return this.#value;
  }

  /** Throws if the id is not known yet: a defect. */
  get value(): number {
    if (this.#value === undefined) throw new Error(`The id of a new row of ${this.table} is not known yet`);
    return this.#value;
  }

  set(value: number): void {
    this.#value = value;
  }
}

/** Quoted texts and names of any engine, and the parameters between them. */
const QUOTED_OR_PARAMETER = /'(?:[^'\\]|\\.|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\?/gsu;

function isUnknown(param: Sql['params'][number]): param is NewId {
  return param instanceof NewId && param.known === undefined;
}

/** Whether a statement has the id of a row whose INSERT is not answered yet. */
export function hasUnknownIds({ params }: Sql): boolean {
  return params.some(isUnknown);
}

/** The statement with what the engine calls the ids that are not known yet in place of their parameters. */
export function withNamedIds(statement: Sql, nameOf: (id: NewId) => string): Sql {
  if (!hasUnknownIds(statement)) return statement;
  const { params } = statement;
  let index = -1;
  const text = statement.text.replaceAll(QUOTED_OR_PARAMETER, (piece) => {
    if (piece !== '?') return piece;
    index += 1;
    const param = params[index];
    return param !== undefined && isUnknown(param) ? nameOf(param) : piece;
  });
  return { text, params: params.filter((param) => !isUnknown(param)) };
}
