/** Which engine a dialect is of. */
import type { Dialect } from '../../database/dialect.ts';
import type { QueryEngine } from './engine.ts';
import { sqliteEngine } from './sqlite-engine.ts';

const ENGINES: ReadonlyMap<Dialect['name'], QueryEngine> = new Map([['sqlite', sqliteEngine]]);

/** The engine of a dialect. Throws if there is none: the server has no driver for it either. */
export function engineOf(dialect: Dialect): QueryEngine {
  const engine = ENGINES.get(dialect.name);
  if (!engine) {
    throw new Error(`Queries can't be compiled for ${dialect.name}`);
  }
  return engine;
}
