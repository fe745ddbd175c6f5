/** Attributes with one value for all locales of an entry. */
import { valueOf, type Values } from '../../contract/item-attributes.ts';
import { type Attribute, type ContentType, type ContentTypes, isInverseStorage } from '../../contract/content-type.ts';
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

/** The attributes that all locales of an entry share; none if the type isn't localized. */
export function sharedAttributes(type: ContentType): readonly NamedAttribute[] {
  return type.localized ? Object.entries(type.attributes).filter(([, { shared }]) => shared === true) : [];
}

/** Whether each row of an entry has the value. The links of relations that the other side owns are those of the first row. */
function isInEachRow([, attribute]: NamedAttribute): boolean {
  return attribute.type !== 'relation' || !isInverseStorage(attribute.storage);
}

/** The shared attributes whose values each row of an entry has. */
export function repeatedAttributes(type: ContentType): readonly NamedAttribute[] {
  return sharedAttributes(type).filter(isInEachRow);
}

/** The attributes with a value, or null, in `values`. */
export function presentAttributes(attributes: readonly NamedAttribute[], values: Values): readonly NamedAttribute[] {
  return attributes.filter(([name]) => valueOf(values, name) !== undefined);
}
