/** Attributes that have one value for all locales of an entry. */
import { valueOf, type Values } from '../../contract/item-attributes.ts';
import type { Attribute, ContentType, ContentTypes, RelationStorage } from '../../contract/content-type.ts';
import type { Executor } from '../../database/executor.ts';

export type NamedAttribute = readonly [name: string, attribute: Attribute];

/** A localized type, and the transaction in which its rows are written. */
export interface LocalizedRows {
  readonly tx: Executor;
  readonly types: ContentTypes;
  readonly type: ContentType;
}

/** Attributes to be copied from one row of an entry to others. */
export interface Copy {
  readonly from: number;
  readonly to: readonly number[];
  readonly attributes: readonly NamedAttribute[];
  /** Also copied, by column. */
  readonly columns?: readonly string[];
}

const OF_OTHER_ROWS: ReadonlySet<string> = new Set<RelationStorage['kind']>(['inverseForeignKey', 'inverseMorph']);

/**
 * Whether the attribute can be the same in all locales of an entry: not where it is a column of the other side's rows, for
 * that names one row.
 */
function isShared(attribute: Attribute): boolean {
  const isTheirs = attribute.type === 'relation' && OF_OTHER_ROWS.has(attribute.storage.kind);
  return attribute.shared === true && !isTheirs;
}

/** The shared attributes of a type; none of a type that is not localized. */
export function sharedAttributes(type: ContentType): readonly NamedAttribute[] {
  return type.localized ? Object.entries(type.attributes).filter(([, attribute]) => isShared(attribute)) : [];
}

/** Those that `values` has a value of, be it null. */
export function sentOf(attributes: readonly NamedAttribute[], values: Values): readonly NamedAttribute[] {
  return attributes.filter(([name]) => valueOf(values, name) !== undefined);
}

/** Those that `values` has none of. */
export function missingOf(attributes: readonly NamedAttribute[], values: Values): readonly NamedAttribute[] {
  return attributes.filter(([name]) => valueOf(values, name) === undefined);
}
