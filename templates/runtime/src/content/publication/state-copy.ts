/**
 * Copies an entry from one state to the other: its draft over what is published, or what is published over its draft. All of it is done
 * by statements over sets of rows; nothing is read.
 */
import type { ContentType, ContentTypes } from '../../contract/content-type.ts';
import { isPublished, publishedTypes } from '../../contract/states.ts';
import type { Dialect } from '../../database/dialect.ts';
import type { NewId } from '../../database/new-id.ts';
import { sql, type Sql } from '../../database/sql.ts';
import type { Statement, TouchedRows } from '../../database/write-plan.ts';
import { incrementVersionsBySelect } from '../../write/version.ts';

/** The copy of some rows of a type, in whatever state they are. */
export interface StateCopy {
  readonly dialect: Dialect;
  /** The state that is copied, and the one that it replaces: all types, and the type of the rows. */
  readonly from: State;
  readonly to: State;
  readonly ids: readonly (number | NewId)[];
}

/** All types in one state, and one of them. */
export interface State {
  readonly types: ContentTypes;
  readonly type: ContentType;
}

/** The condition that a column refers to the copied rows. */
export function isCopied({ dialect, ids }: StateCopy, column: Sql): Sql {
  const [first = 0] = ids;
  if (ids.length === 1) return sql`${column} = ${first}`;
  return dialect.isOneOf(
    column,
    ids.filter((id) => typeof id === 'number'),
  );
}

/** A type in the state that is copied, and in the one that it replaces. */
export function typesOf(
  { from, to }: StateCopy,
  uid: string,
): { readonly from: ContentType; readonly to: ContentType } {
  const [one, other] = [from.types.types[uid], to.types.types[uid]];
  if (!one || !other) throw new Error(`There is no content type ${uid}`);
  return { from: one, to: other };
}

/** Entries whose lists change by a copy, besides those that are copied. */
export interface ChangedLists {
  /** The statements to run before it: a change of a draft is one of its version. */
  readonly before: readonly Statement[];
  /** Of the copy itself. What is published changes by publications of others without a version of its own. */
  readonly touches: readonly TouchedRows[];
}

export function changedLists({ dialect, to }: StateCopy, all: readonly TouchedRows[]): ChangedLists {
  if (isPublished(to.type)) return { before: [], touches: all };
  const before = all.flatMap(({ table, ids }) =>
    'text' in ids ? [incrementVersionsBySelect(dialect, table, ids)] : [],
  );
  return { before, touches: [] };
}

/** The published state of a type. */
export function publishedState({ types, type }: State): State {
  const all = publishedTypes(types);
  const found = all.types[type.uid];
  if (!found) throw new Error(`There is no content type ${type.uid}`);
  return { types: all, type: found };
}

/** Copies drafts over what is published. */
export function publication(dialect: Dialect, draft: State, ids: StateCopy['ids']): StateCopy {
  return { dialect, from: draft, to: publishedState(draft), ids };
}
