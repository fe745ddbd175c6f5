/** Changes to the component items in a JSON column. */
import type { JsonValue } from '../values/json.ts';

/** A value of an enumeration and its replacement. */
export interface ValueChange {
  readonly from: string;
  readonly to: string;
}

/** The target type of a conversion inside JSON. */
export type MemberConversion = 'text' | 'number' | 'date' | 'datetime';

/** A change to the items in one value. `list`: whether the value is a list of items before the change. */
export interface ItemsEdit {
  readonly list: boolean;
  /** Wraps a single item in a list, or replaces a list by its first item. */
  readonly becomes?: 'list' | 'first';
  /** A single edit for all items; in dynamic zones one for each component that changes. */
  readonly items: readonly ItemEdit[];
}

/** Replaces values of an enumeration in the items. */
export interface MemberMap {
  readonly member: string;
  readonly values: readonly ValueChange[];
  readonly undo: readonly ValueChange[];
}

/** A value for items that have none. `member` is its new name. */
export interface MemberFill {
  readonly member: string;
  readonly value: JsonValue;
  /** Items must have a value from now on. */
  readonly required?: true;
}

export interface ItemEdit {
  /** In dynamic zones: the component of the items to change, its new name, and whether to remove its items. */
  readonly component?: string;
  readonly renamedTo?: string;
  readonly remove?: true;
  /** Members are identified by their old name. */
  readonly rename: readonly { readonly from: string; readonly to: string }[];
  readonly drop: readonly string[];
  /** Numbers become text, dates become midnight UTC, and the reverse of both. */
  readonly convert: readonly { readonly member: string; readonly to: MemberConversion }[];
  /** Replacements of enumeration values, with the reverse mapping where it is unambiguous. */
  readonly map?: readonly MemberMap[];
  readonly fill?: readonly MemberFill[];
  readonly nested: readonly { readonly member: string; readonly edit: ItemsEdit }[];
}

/** The path from a JSON column to items: in dynamic zones to those of one component, then through nested components. */
export interface ItemPlace {
  readonly column: string;
  readonly list: boolean;
  readonly component?: string;
  readonly inside: readonly { readonly member: string; readonly list: boolean }[];
}
