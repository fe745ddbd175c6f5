/** Shared by the compilers of the parts of one statement. */
import { isPublished } from '../../contract/states.ts';
import type { Dialect } from '../../database/dialect.ts';
import { join, raw, sql, type Sql } from '../../database/sql.ts';
import { engineOf } from './engine-of.ts';
import type { QueryEngine } from './engine.ts';
import type { ListBounds } from './list-bounds.ts';
import type { Population } from '../read-query.ts';
import type { Rows, TableRows } from './rows.ts';

export interface Compiler {
  readonly dialect: Dialect;
  readonly engine: QueryEngine;
  /** Quotes a name from the descriptors. */
  readonly id: (name: string) => Sql;
  /** An alias unique in the statement. Equal queries get equal aliases. */
  alias(): Sql;
  /** The name and the JSON value of a populated attribute of an entry or item. */
  population(population: Population, rows: Rows): readonly [string, Sql];
  /** Undefined if the statement shows no lists. */
  readonly bounds: ListBounds | undefined;
}

/** Compiles populated attributes. Entries contain populations and populations entries: this parameter avoids an import cycle. */
export type PopulationCompiler = (compiler: Compiler, population: Population, rows: Rows) => readonly [string, Sql];

export function createCompiler(dialect: Dialect, compilePopulation: PopulationCompiler, bounds?: ListBounds): Compiler {
  let count = 0;
  const compiler: Compiler = {
    dialect,
    engine: engineOf(dialect),
    id: (name) => dialect.id(name),
    alias() {
      count += 1;
      return dialect.id(`t${count}`);
    },
    population: (population, rows) => compilePopulation(compiler, population, rows),
    bounds,
  };
  return compiler;
}

const NOTHING_TO_MEET: readonly Sql[] = [];

/** ` WHERE a AND b`, or nothing. */
export function where(conditions: readonly (Sql | undefined)[]): Sql {
  const present = conditions.filter((condition) => condition !== undefined);
  return present.length === 0 ? raw('') : sql` WHERE ${join(present, ' AND ')}`;
}

/** The condition that only published rows are visible, if `live`. */
export function publishedConditions(live: boolean, { alias, type }: TableRows): readonly Sql[] {
  return live && !isPublished(type) ? [sql`${alias}.published_at IS NOT NULL`] : NOTHING_TO_MEET;
}
