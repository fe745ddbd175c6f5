/** What becomes of the component items inside a JSON column. Plain JSON: it is part of `plan.json`. */

/** A change of the items in one value, which is an item or a list of them before. */
export interface ItemsEdit {
  readonly list: boolean;
  /** One item becomes a list of it, or a list its first item. */
  readonly becomes?: 'list' | 'first';
  /** One for every item; in dynamic zones one for each component that changes. */
  readonly items: readonly ItemEdit[];
}

export interface ItemEdit {
  /** In zones: the component of the items that change, what it is called then, and whether they go. */
  readonly component?: string;
  readonly renamedTo?: string;
  readonly remove?: true;
  /** Members by their name before. */
  readonly rename: readonly { readonly from: string; readonly to: string }[];
  readonly drop: readonly string[];
  /** Numbers that become their text, or the reverse. */
  readonly convert: readonly { readonly member: string; readonly to: 'text' | 'number' }[];
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
  return {
    ...(component === undefined ? {} : { component }),
    ...(edit.renamedTo === undefined || edit.component === undefined ? {} : { renamedTo: edit.component }),
    rename: edit.rename.map(({ from, to }) => ({ from: to, to: from })),
    drop: [],
    convert: edit.convert.map(({ member, to }) => ({
      member: newName(edit, member),
      to: to === 'text' ? ('number' as const) : ('text' as const),
    })),
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
