/** An operation that every server has, whatever its content types. */
import type { JsonObject } from './schema-names.ts';

/** One operation of a path. */
export interface Operation {
  readonly path: string;
  readonly method: 'get' | 'post' | 'put' | 'delete';
  readonly id: string;
  readonly summary: string;
  /** What a caller must be permitted; undefined: nothing. */
  readonly permission?: string;
  readonly body?: JsonObject;
  /** The body is a form with files. */
  readonly isForm?: true;
  readonly answer: JsonObject;
  /** Names of parameters in the query. */
  readonly query?: readonly string[];
  readonly created?: true;
}
