/** What becomes of the component items inside a JSON column. Plain JSON: it is part of `plan.json`. */
import type { ValueChange } from './value-change.ts';

/** What a value inside JSON is turned into. */
export type MemberConversion = 'text' | 'number' | 'date' | 'datetime';

const REVERSE: Readonly<Record<MemberConversion, MemberConversion>> = {
  text: 'number',
  number: 'text',
  datetime: 'date',
  date: 'datetime',
};

/** A change of the items in one value, which is an item or a list of them before. */
export interface ItemsEdit {
  readonly list: boolean;
  /** One item becomes a list of it, or a list its first item. */
  readonly becomes?: 'list' | 'first';
  /** One for every item; in dynamic zones one for each component that changes. */
  readonly items: readonly ItemEdit[];
}

/** What values of an enumeration inside the items become. */
export interface MemberMap {
  readonly member: string;
  readonly values: readonly ValueChange[];
  readonly undo: readonly ValueChange[];
}

export interface ItemEdit {
  /** In zones: the component of the items that change, what it is called then, and whether they go. */
  readonly component?: string;
  readonly renamedTo?: string;
  readonly remove?: true;
  /** Members by their name before. */
  readonly rename: readonly { readonly from: string; readonly to: string }[];
  readonly drop: readonly string[];
  /** Numbers that become their text, dates that become the moment they begin in UTC, and the reverse of both. */
  readonly convert: readonly { readonly member: string; readonly to: MemberConversion }[];
  /** Values of enumerations that others take the place of, and what undoes that as far as it can be. */
  readonly map?: readonly MemberMap[];
  readonly nested: readonly { readonly member: string; readonly edit: ItemsEdit }[];
}

/** A way from a JSON column to items: in zones to those of one component, then through members with items in them. */
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

/** The edit that undoes another, but for what that has removed. */
export function invertItems({ list, becomes, items }: ItemsEdit): ItemsEdit {
  const after = becomes === undefined ? list : becomes === 'list';
  return {
    list: after,
    ...(becomes === undefined ? {} : { becomes: becomes === 'list' ? ('first' as const) : ('list' as const) }),
    items: items.filter(({ remove }) => remove !== true).map(invertItem),
  };
}

/** Whether an edit removes something, so that it can't be undone. */
export function losesItems({ becomes, items }: ItemsEdit): boolean {
  return (
    becomes === 'first' ||
    items.some(({ remove, drop, nested }) => remove || drop.length > 0 || nested.some(({ edit }) => losesItems(edit)))
  );
}

/** Whether values of enumerations inside the items become one, so that they can't be told apart afterwards. */
export function mergesValues({ items }: ItemsEdit): boolean {
  return items.some(
    ({ map = [], nested }) =>
      map.some(({ values, undo }) => undo.length < values.length) || nested.some(({ edit }) => mergesValues(edit)),
  );
}

/** Whether the items at a place of one column are still there after an edit of it; undefined edits nothing. */
export function keepsItems(edit: ItemsEdit | undefined, { component, inside }: ItemPlace): boolean {
  let item = edit?.items.find((one) => one.component === component);
  for (const { member } of inside) {
    if (item?.remove || item?.drop.includes(member)) return false;
    item = item?.nested.find((one) => one.member === member)?.edit.items[0];
  }
  return item?.remove !== true;
}

/** Members that an edit converts to a type, with the places of their items, by their names before, and their names after it. */
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
