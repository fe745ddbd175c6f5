/** Changes to the component items in a JSON column. They are plain JSON, as they are part of `plan.json`. */
import type { ValueChange } from './value-change.ts';

/** The target type of a conversion inside JSON. */
export type MemberConversion = 'text' | 'number' | 'date' | 'datetime';

const REVERSE: Readonly<Record<MemberConversion, MemberConversion>> = {
  text: 'number',
  number: 'text',
  datetime: 'date',
  date: 'datetime',
};

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
  readonly nested: readonly { readonly member: string; readonly edit: ItemsEdit }[];
}

/** The path from a JSON column to items: in dynamic zones to those of one component, then through nested components. */
export interface ItemPlace {
  readonly column: string;
  readonly list: boolean;
  readonly component?: string;
  readonly inside: readonly { readonly member: string; readonly list: boolean }[];
}

function newName({ rename }: ItemEdit, member: string): string {
  return rename.find(({ from }) => from === member)?.to ?? member;
}

function invertItem(edit: ItemEdit): ItemEdit {
  const component = edit.renamedTo ?? edit.component;
  const map = (edit.map ?? [])
    .filter(({ undo }) => undo.length > 0)
    .map(({ member, values, undo }) => ({ member: newName(edit, member), values: undo, undo: values }));
  return {
    ...(component === undefined ? {} : { component }),
    ...(edit.renamedTo === undefined || edit.component === undefined ? {} : { renamedTo: edit.component }),
    rename: edit.rename.map(({ from, to }) => ({ from: to, to: from })),
    drop: [],
    convert: edit.convert.map(({ member, to }) => ({
      member: newName(edit, member),
      to: REVERSE[to],
    })),
    ...(map.length > 0 ? { map } : {}),
    nested: edit.nested.map(({ member, edit: inner }) => ({ member: newName(edit, member), edit: invertItems(inner) })),
  };
}

/** The inverse of an edit. It doesn't restore what the edit removed. */
export function invertItems({ list, becomes, items }: ItemsEdit): ItemsEdit {
  const after = becomes === undefined ? list : becomes === 'list';
  return {
    list: after,
    ...(becomes === undefined ? {} : { becomes: becomes === 'list' ? ('first' as const) : ('list' as const) }),
    items: items.filter(({ remove }) => remove !== true).map(invertItem),
  };
}

/** Whether an edit removes data, so that it can't be undone. */
export function losesItems({ becomes, items }: ItemsEdit): boolean {
  return (
    becomes === 'first' ||
    items.some(({ remove, drop, nested }) => remove || drop.length > 0 || nested.some(({ edit }) => losesItems(edit)))
  );
}

/** Whether an edit maps several enumeration values to the same one, so that it can't be undone. */
export function mergesValues({ items }: ItemsEdit): boolean {
  return items.some(
    ({ map = [], nested }) =>
      map.some(({ values, undo }) => undo.length < values.length) || nested.some(({ edit }) => mergesValues(edit)),
  );
}

/** Whether an edit of a column keeps the items at a place; `undefined` is no edit. */
export function keepsItems(edit: ItemsEdit | undefined, { component, inside }: ItemPlace): boolean {
  let item = edit?.items.find((one) => one.component === component);
  for (const { member } of inside) {
    if (item?.remove || item?.drop.includes(member)) return false;
    item = item?.nested.find((one) => one.member === member)?.edit.items[0];
  }
  return item?.remove !== true;
}

/** The members that an edit converts to a type, with the places of their items, by their old names. */
export function* convertedTo(
  to: MemberConversion,
  { items }: ItemsEdit,
  placeOf: (component: string | undefined) => ItemPlace,
): Generator<{ readonly place: ItemPlace; readonly member: string; readonly becomes: string }> {
  for (const item of items) {
    const { component, convert, nested } = item;
    const place = placeOf(component);
    for (const { member, to: type } of convert) {
      if (type === to) yield { place, member, becomes: newName(item, member) };
    }
    for (const { member, edit } of nested) {
      const inside = [...place.inside, { member, list: edit.list }];
      yield* convertedTo(to, edit, () => ({ ...place, inside }));
    }
  }
}
