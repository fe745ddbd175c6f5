/** Attributes with one value for all locales of an entry. */
import { valueOf, type Values } from '../../contract/item-attributes.ts';
import type { Attribute, ContentType, ContentTypes, RelationStorage } from '../../contract/content-type.ts';
import type { Executor } from '../../database/executor.ts';

/** An attribute with its name. */
export type NamedAttribute = readonly [name: string, attribute: Attribute];

/** A localized type, and the transaction that writes its rows. */
export interface LocalizedRows {
  readonly tx: Executor;
  readonly types: ContentTypes;
  readonly type: ContentType;
}

/** Attributes to copy from one row of an entry to others. */
export interface Copy {
  readonly from: number;
  readonly to: readonly number[];
  readonly attributes: readonly NamedAttribute[];
  /** Further columns to copy. */
  readonly columns?: readonly string[];
}

const OF_OTHER_ROWS: ReadonlySet<string> = new Set<RelationStorage['kind']>(['inverseForeignKey', 'inverseMorph']);

/**
 * Whether the attribute is shared by all locales of an entry. A relation stored in the rows of the other side can't be: their
 * foreign key refers to a single row.
 */
function isShared(attribute: Attribute): boolean {
  const isTheirs = attribute.type === 'relation' && OF_OTHER_ROWS.has(attribute.storage.kind);
  return attribute.shared === true && !isTheirs;
}

/** The shared attributes of a type; none if it isn't localized. */
export function sharedAttributes(type: ContentType): readonly NamedAttribute[] {
  return type.localized ? Object.entries(type.attributes).filter(([, attribute]) => isShared(attribute)) : [];
}

/** The attributes with a value, or null, in `values`. */
export function presentAttributes(attributes: readonly NamedAttribute[], values: Values): readonly NamedAttribute[] {
  return attributes.filter(([name]) => valueOf(values, name) !== undefined);
}
