/** Operations on changes to the component items in a JSON column. */
import type { ItemEdit, ItemPlace, ItemsEdit, MemberConversion } from '#contract/migrations/items-edit.ts';

const REVERSE: Readonly<Record<MemberConversion, MemberConversion>> = {
  text: 'number',
  number: 'text',
  datetime: 'date',
  date: 'datetime',
};

/** An edit that changes nothing. */
export const NO_CHANGES = { rename: [], drop: [], convert: [], nested: [] } as const satisfies ItemEdit;

/** Whether an edit of items changes anything. */
export function changesItem(edit: ItemEdit): boolean {
  const { component, renamedTo, remove, rename, drop, convert, map = [], fill = [], nested } = edit;
  const isRenamed = renamedTo !== undefined && renamedTo !== component;
  return remove === true || isRenamed || [rename, drop, convert, map, fill, nested].some((list) => list.length > 0);
}

/** Whether an edit changes anything. */
export function changesItems({ becomes, items }: ItemsEdit): boolean {
  return becomes !== undefined || items.length > 0;
}

/** The name before the edit of a member of the result; undefined if it is new, or replaces a dropped one. */
export function oldName({ rename, drop }: ItemEdit, member: string): string | undefined {
  const renamed = rename.find(({ to }) => to === member)?.from;
  const isFree = drop.includes(member) || rename.some(({ from }) => from === member);
  return renamed ?? (isFree ? undefined : member);
}

/** Whether an edit only gives items values that they lack. */
export function isOnlyFills({ becomes, items }: ItemsEdit): boolean {
  return (
    becomes === undefined &&
    items.every((item) => {
      const { fill: _, nested, ...others } = item;
      return !changesItem({ ...others, nested: [] }) && nested.every(({ edit }) => isOnlyFills(edit));
    })
  );
}

/** The part of an edit that fills members which must have a value. */
export function requiredFills({ list, items }: ItemsEdit): ItemsEdit {
  const parts = items.map(({ component, fill = [], nested }): ItemEdit => {
    const own = fill.filter(({ required }) => required);
    return {
      ...(component === undefined ? {} : { component }),
      ...NO_CHANGES,
      ...(own.length > 0 ? { fill: own } : {}),
      nested: nested
        .map(({ member, edit }) => ({ member, edit: requiredFills(edit) }))
        .filter(({ edit }) => changesItems(edit)),
    };
  });
  return { list, items: parts.filter(changesItem) };
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
    nested: edit.nested
      .map(({ member, edit: inner }) => ({ member: newName(edit, member), edit: invertItems(inner) }))
      .filter((inner) => changesItems(inner.edit)),
  };
}

/** The inverse of an edit. It doesn't restore what the edit removed, and keeps what it filled. */
export function invertItems({ list, becomes, items }: ItemsEdit): ItemsEdit {
  const after = becomes === undefined ? list : becomes === 'list';
  return {
    list: after,
    ...(becomes === undefined ? {} : { becomes: becomes === 'list' ? ('first' as const) : ('list' as const) }),
    items: items
      .filter(({ remove }) => remove !== true)
      .map(invertItem)
      .filter(changesItem),
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
