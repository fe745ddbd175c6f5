/** Changes to component items in JSON columns, and to the links of these items. */
import { isDeepStrictEqual } from 'node:util';
import type { RetypedMember } from '#contract/migrations/change.ts';
import type { ItemEdit, ItemPlace, ItemsEdit, MemberFill } from '#contract/migrations/items-edit.ts';
import type { Column, ComponentShape, Holds } from '../../storage/storage-model.ts';
import { hasRole, uidOf } from '../../storage/table-origin.ts';
import { newNames } from './diff-columns.ts';
import { causeOf, type DiffContext } from './diff-context.ts';
import { enumChange, type EnumChange, enumLoss } from './enum-change.ts';
import type { HintWriter } from '../sql/text/hint-sql.ts';
import { itemPlaces, type PlacedComponent, shapesByUid } from './item-places.ts';
import { changesItem, keepsItems, losesItems, NO_CHANGES } from '../history/items-edit.ts';
import { diffShape, type ShapeDiff } from './member-diff.ts';
import { requiredLoss } from './required-loss.ts';
import type { TableDiff } from './table-diff.ts';

/** A component that is kept, with the changes to its enumerations. */
interface ChangedShape extends ShapeDiff {
  readonly changedEnums: readonly (EnumChange & {
    readonly member: string;
    readonly cause: string;
    readonly values: readonly string[];
  })[];
  /** Values for items that have none. */
  readonly fills: readonly MemberFill[];
}

function withValues(context: DiffContext, diff: ShapeDiff): ChangedShape {
  const changedEnums = diff.enums.map(({ member, before, values, exchanged: then }) => {
    const cause = `${diff.after.uid}.${before.name}`;
    const mayHaveBeen = before.type === 'text';
    const exchanged = { before: before.exchanged, after: then };
    const change = enumChange(context, { cause, before: before.values, mayHaveBeen, after: values, exchanged });
    return { member, cause, values, ...change };
  });
  return { ...diff, changedEnums, fills: fillsOf(context, diff) };
}

/** The defaults that existing items get: for new attributes, and for those that become required. */
function fillsOf({ memberDefaults }: DiffContext, { after, added, requires }: ShapeDiff): readonly MemberFill[] {
  const wanted = [...added, ...requires.map(({ name }) => ({ name, required: true }))];
  return wanted.flatMap(({ name, required }) => {
    const value = memberDefaults.get(`${after.uid}.${name}`);
    return value === undefined ? [] : [{ member: name, value, ...(required ? { required } : {}) }];
  });
}

/** Components that are kept, by their new names. */
type ShapeDiffs = ReadonlyMap<string, ChangedShape>;

function shapeDiffs(context: DiffContext): ShapeDiffs {
  const { recorded, before, after } = context;
  const now = shapesByUid(after.components);
  const diffs = new Map<string, ChangedShape>();
  for (const [index, shape] of (before.components ?? []).entries()) {
    const [was, then] = [recorded.components?.[index], now.get(shape.uid)];
    if (was && then) diffs.set(shape.uid, withValues(context, diffShape(was, shape, then)));
  }
  return diffs;
}

/** The edit of the items of one component; undefined if they don't change. */
function itemEdit(diffs: ShapeDiffs, uid: string): ItemEdit | undefined {
  const diff = diffs.get(uid);
  if (!diff) return undefined;
  const map = diff.changedEnums.flatMap(({ member, mapped: values, undo }) =>
    values.length > 0 ? [{ member, values, undo }] : [],
  );
  const edit: ItemEdit = {
    rename: diff.renamed,
    drop: diff.dropped.map(({ member }) => member),
    convert: diff.converted,
    ...(map.length > 0 ? { map } : {}),
    ...(diff.fills.length > 0 ? { fill: diff.fills } : {}),
    nested: diff.inner.flatMap(({ member, before, after }) => {
      const inner = componentEdit(diffs, before, after);
      return inner ? [{ member, edit: inner }] : [];
    }),
  };
  return changesItem(edit) ? edit : undefined;
}

interface OneOrMore {
  readonly component: string;
  readonly repeatable: boolean;
}

function componentEdit(diffs: ShapeDiffs, before: OneOrMore, after: OneOrMore): ItemsEdit | undefined {
  const item = itemEdit(diffs, before.component);
  const isChanged = before.repeatable !== after.repeatable;
  if (!item && !isChanged) return undefined;
  return {
    list: before.repeatable,
    ...(isChanged ? { becomes: after.repeatable ? ('list' as const) : ('first' as const) } : {}),
    items: item ? [item] : [],
  };
}

function zoneEdit(diffs: ShapeDiffs, before: readonly string[], after: readonly string[]): ItemsEdit | undefined {
  const items = before.flatMap((uid): readonly ItemEdit[] => {
    const was = diffs.get(uid)?.was.uid ?? uid;
    if (!after.includes(uid)) return [{ component: was, remove: true, ...NO_CHANGES }];
    const renamed = was === uid ? {} : { renamedTo: uid };
    const edit: ItemEdit = { ...(itemEdit(diffs, uid) ?? NO_CHANGES), component: was, ...renamed };
    return changesItem(edit) ? [edit] : [];
  });
  return items.length > 0 ? { list: true, items } : undefined;
}

function editOf(diffs: ShapeDiffs, before: Holds, after: Holds): ItemsEdit | undefined {
  if (before.kind === 'zone' && after.kind === 'zone') return zoneEdit(diffs, before.components, after.components);
  if (before.kind === 'component' && after.kind === 'component') return componentEdit(diffs, before, after);
  return undefined;
}

/** The losses of dynamic zones that no longer allow a component, and of lists that become a single item. */
function lossesOfColumn({ draft }: DiffContext, diffs: ShapeDiffs, before: Holds, after: Holds, thing: string): void {
  if (before.kind === 'zone' && after.kind === 'zone') {
    const gone = before.components.filter((uid) => !after.components.includes(uid));
    if (gone.length === 0) return;
    const names = gone.map((uid) => `'${diffs.get(uid)?.was.uid ?? uid}'`).join(', ');
    draft.lose({
      code: 'drops-attribute',
      thing,
      message: `'${thing}' no longer allows ${names}, so existing items of ${gone.length === 1 ? 'this component' : 'these components'} would be deleted`,
      hint: `Add ${names} to its \`components\` again; if it was renamed, add \`renamedFrom\` to the component with the new name. To delete the items, pass --allow-destructive ${thing}`,
      places: [thing],
    });
  } else if (before.kind === 'component' && after.kind === 'component' && before.repeatable && !after.repeatable) {
    lossOfList({ draft }, thing);
  }
}

function lossOfList({ draft }: Pick<DiffContext, 'draft'>, thing: string): void {
  draft.lose({
    code: 'narrows',
    thing,
    message: `'${thing}' is no longer repeatable, so all but the first item of each list would be deleted`,
    hint: `Keep \`repeatable: true\`. To delete the other items, pass --allow-destructive ${thing}`,
    places: [thing],
  });
}

/** The losses of attributes of a component that is in use. */
function lossesOfShape({ draft }: DiffContext, { after, dropped, inner, links, before, was }: ShapeDiff): void {
  const named = (key: string): string => {
    const index = was.members.findIndex(({ name }) => name === key);
    return `${after.uid}.${before.members[index]?.name ?? key}`;
  };
  for (const { name, isReplaced } of dropped) {
    const thing = `${after.uid}.${name}`;
    draft.lose({
      code: isReplaced ? 'changes-type' : 'drops-attribute',
      thing,
      message: `'${thing}' ${isReplaced ? 'changes to a type that its values cannot be converted to' : 'is no longer in the schema'}, so its value would be deleted from all items of the component`,
      hint: isReplaced
        ? `To keep the values, restore the old definition, and add an attribute with another name. To delete them, pass --allow-destructive ${thing}`
        : `Restore the attribute. To delete its values, pass --allow-destructive ${thing}`,
      places: [thing, after.uid],
    });
  }
  for (const { before: one, after: other, member } of inner) {
    if (one.repeatable && !other.repeatable) lossOfList({ draft }, named(member));
  }
  for (const key of [...links.dropped, ...links.narrowed]) {
    const thing = named(key);
    draft.lose({
      code: 'drops-links',
      thing,
      message: `'${thing}' was removed or changed, so ${links.narrowed.includes(key) ? 'all its links except the first of each item' : 'its links'} would be deleted`,
      hint: `Restore the old definition of the attribute. To delete the links, pass --allow-destructive ${thing}`,
      places: [thing, after.uid],
    });
  }
}

/** The places of items at the start of the migration, except those that it removes. */
function standingPlaces(
  { recorded, recordedTables }: DiffContext,
  diffs: ShapeDiffs,
  { diff }: Owner,
): readonly PlacedComponent[] {
  const shapes = shapesByUid(recorded.components);
  const columns = recordedTables.get(diff.tables.before.name)?.columns ?? [];
  return diff.columns.pairs.flatMap(({ before, after }) => {
    const holds = columns.find(({ name }) => name === before.name)?.holds;
    if (!holds || !before.holds || !after.holds) return [];
    const edit = editOf(diffs, before.holds, after.holds);
    return [...itemPlaces(before.name, holds, shapes)].filter(({ place }) => keepsItems(edit, place));
  });
}

/** Stops the migration if items have removed enumeration values without a replacement. */
function checkEnums(context: DiffContext, diffs: ShapeDiffs, owners: readonly Owner[], shape: ChangedShape): void {
  const { draft } = context;
  const open = shape.changedEnums.filter(({ check }) => check);
  if (open.length === 0) return;
  const found = owners.flatMap((owner) =>
    standingPlaces(context, diffs, owner)
      .filter(({ uid }) => uid === shape.was.uid)
      .map(({ place }) => ({ table: owner.diff.tables.before.name, place })),
  );
  for (const { member, cause, values: after, check } of found.length === 0 ? [] : open) {
    if (!check) continue;
    const { values, gone } = check;
    draft.add('check', { kind: 'checkItems', items: found, member, values, cause });
    const query = ({ text, itemValues }: HintWriter): string => {
      const items = found.map(({ table, place }) => itemValues(table, place, member)).join(' UNION ALL ');
      return `SELECT value, count(*) FROM (${items}) AS items WHERE value NOT IN (${values.map(text).join(', ')}) GROUP BY value`;
    };
    draft.lose({
      code: 'narrows',
      thing: cause,
      ...enumLoss(context, { gone, cause, after, query }),
      places: [cause, shape.after.uid],
    });
  }
}

/** Values that items must have from now on, but have no default. */
function lackingOf({ added, requires, fills }: ChangedShape) {
  const all = [
    ...added.filter(({ required }) => required).map((one) => ({ ...one, isNew: true })),
    ...requires.map((one) => ({ ...one, isNew: false })),
  ];
  return all.filter(({ name }) => !fills.some(({ member }) => member === name));
}

/** The places where all items must have values that are required, or those of published entries. */
function checkedPlaces(context: DiffContext, diffs: ShapeDiffs, owners: readonly Owner[], uid: string) {
  return owners.flatMap((owner) => {
    const { before, after } = owner.diff.tables;
    const published = [before, after].every((table) => hasRole(table, 'publishedAt'))
      ? { published: true as const }
      : {};
    return standingPlaces(context, diffs, owner)
      .filter((placed) => placed.uid === uid)
      .map(({ place }) => ({ table: before.name, place, ...published }));
  });
}

/** Stops the migration if items lack a value that they must have from now on. */
function checkRequired(context: DiffContext, diffs: ShapeDiffs, owners: readonly Owner[], shape: ChangedShape): void {
  const lacking = lackingOf(shape);
  const items = lacking.length === 0 ? [] : checkedPlaces(context, diffs, owners, shape.was.uid);
  if (items.length === 0) return;
  for (const { name, member, isNew } of lacking) {
    const cause = `${shape.after.uid}.${name}`;
    context.draft.add('check', { kind: 'checkRequired', items, ...(member === undefined ? {} : { member }), cause });
    context.draft.lose(requiredLoss(context, cause, { items, member, isNew }));
  }
}

/** A type with component items in its JSON columns, and the table with the links of these items. */
interface Owner {
  readonly diff: TableDiff;
  readonly links: string | undefined;
}

function oldPlaces(context: DiffContext, { diff }: Owner): readonly PlacedComponent[] {
  const { recorded, recordedTables } = context;
  const shapes = shapesByUid(recorded.components);
  const table = recordedTables.get(diff.tables.before.name);
  const names = newNames(diff);
  const staying = new Set(diff.columns.pairs.map(({ before }) => before.name));
  return (table?.columns ?? []).flatMap((column) => {
    if (!column.holds || !staying.has(column.name)) return [];
    return [...itemPlaces(names.get(column.name) ?? column.name, column.holds, shapes)];
  });
}

function newPlaces({ after }: DiffContext, { diff }: Owner): readonly ItemPlace[] {
  const shapes = shapesByUid(after.components);
  return diff.tables.after.columns.flatMap((column) =>
    column.holds ? [...itemPlaces(column.name, column.holds, shapes)].map(({ place }) => place) : [],
  );
}

/** Changes links of attributes that are renamed, removed, or no longer lists. Finds them by the items before those are edited. */
function changeLinks(context: DiffContext, diffs: ShapeDiffs, owner: Owner, links: string): void {
  const { draft } = context;
  const placed = oldPlaces(context, owner);
  const table = { table: links, owner: owner.diff.tables.after.name };
  for (const { was, links: changes, after } of diffs.values()) {
    const places = placed.filter(({ uid }) => uid === was.uid).map(({ place }) => place);
    if (places.length === 0) continue;
    const { renamed, dropped, narrowed } = changes;
    const rows = { of: 'itemAttributes', owner: table.owner, places } as const;
    const cause = after.uid;
    if (dropped.length > 0) {
      draft.add('data', { kind: 'deleteRows', table: links, rows: { ...rows, attributes: dropped }, cause });
    }
    if (narrowed.length > 0) {
      const few = { ...rows, attributes: narrowed, keepFirst: true } as const;
      draft.add('data', { kind: 'deleteRows', table: links, rows: few, cause });
    }
    if (renamed.length > 0) draft.add('data', { kind: 'renameItemLinks', ...table, places, renames: renamed, cause });
  }
}

function diffOwner(context: DiffContext, diffs: ShapeDiffs, owner: Owner): void {
  const { draft } = context;
  const { tables, columns } = owner.diff;
  if (owner.links !== undefined) changeLinks(context, diffs, owner, owner.links);
  let hasGone = columns.gone.some(({ holds }) => holds !== undefined);
  for (const { before, after } of columns.pairs) {
    if (!before.holds || !after.holds) continue;
    const cause = causeOf(tables.after, after.attribute);
    lossesOfColumn(context, diffs, before.holds, after.holds, cause);
    const edit = editOf(diffs, before.holds, after.holds);
    if (!edit) continue;
    draft.add('data', { kind: 'editItems', table: tables.after.name, column: after.name, edit, cause });
    hasGone ||= losesItems(edit);
  }
  if (!hasGone || owner.links === undefined) return;
  const rows = { of: 'goneItems', owner: tables.after.name, places: newPlaces(context, owner) } as const;
  draft.add('data', { kind: 'deleteRows', table: owner.links, rows, cause: causeOf(tables.after) });
}

function ownersOf({ tables }: DiffContext, diffs: readonly TableDiff[]): readonly Owner[] {
  const links = new Map(
    tables.pairs.flatMap(({ after }) => (after.kind === 'componentLinks' ? [[after.uid, after.name] as const] : [])),
  );
  const hasItems = ({ columns }: { readonly columns: readonly Column[] }): boolean =>
    columns.some(({ holds }) => holds);
  return diffs
    .filter(({ tables: pair }) => hasItems(pair.before))
    .map((diff) => ({ diff, links: links.get(uidOf(diff.tables.after) ?? '') }));
}

/** Attributes with a new type, with the places of their items in columns that are kept. */
function retypedOf({ after }: DiffContext, owners: readonly Owner[], shape: ChangedShape): readonly RetypedMember[] {
  if (shape.retyped.length === 0) return [];
  const shapes = shapesByUid(after.components);
  const items = owners.flatMap(({ diff: { tables, columns } }) =>
    columns.pairs.flatMap(({ before, after: column }) => {
      if (!before.holds || !column.holds) return [];
      return [...itemPlaces(column.name, column.holds, shapes)]
        .filter(({ uid }) => uid === shape.after.uid)
        .map(({ place }) => ({ table: tables.after.name, place }));
    }),
  );
  return items.length === 0 ? [] : shape.retyped.map((member) => ({ ...member, items }));
}

function defineComponents(context: DiffContext, diffs: ShapeDiffs, owners: readonly Owner[]): void {
  const { draft, recorded, before, after } = context;
  const then = shapesByUid(after.components);
  const define = (from: ComponentShape | undefined, to: ComponentShape | undefined): void => {
    if (isDeepStrictEqual(from, to)) return;
    const cause = to?.uid ?? from?.uid ?? '';
    const shape = to && diffs.get(to.uid);
    const retyped = shape ? retypedOf(context, owners, shape) : [];
    draft.add('describe', {
      kind: 'defineComponent',
      ...(from ? { from } : {}),
      ...(to ? { to } : {}),
      ...(retyped.length > 0 ? { retyped } : {}),
      cause,
    });
  };
  const known = new Set<string>();
  const renamed: [ComponentShape, ComponentShape][] = [];
  for (const [index, { uid }] of (before.components ?? []).entries()) {
    known.add(uid);
    const [from, to] = [recorded.components?.[index], then.get(uid)];
    // A component may take the name of another one, so renamed components are defined after all old names are free.
    if (from && to && from.uid !== to.uid) {
      renamed.push([from, to]);
      define(from, undefined);
    } else define(from, to);
  }
  for (const [, to] of renamed) define(undefined, to);
  for (const shape of after.components ?? []) if (!known.has(shape.uid)) define(undefined, shape);
}

/** Adds the changes to component items to the draft. */
export function diffItems(context: DiffContext, diffs: readonly TableDiff[]): void {
  const shapes = shapeDiffs(context);
  const owners = ownersOf(context, diffs);
  const used = new Set(owners.flatMap((owner) => oldPlaces(context, owner).map(({ uid }) => uid)));
  for (const shape of shapes.values()) if (used.has(shape.was.uid)) lossesOfShape(context, shape);
  for (const owner of owners) diffOwner(context, shapes, owner);
  for (const shape of shapes.values()) {
    checkEnums(context, shapes, owners, shape);
    checkRequired(context, shapes, owners, shape);
  }
  defineComponents(context, shapes, owners);
}
