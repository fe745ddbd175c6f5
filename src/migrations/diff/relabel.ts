/** Applies the pending renames of the schema to the labels of the last state. */
import { COLUMN_NAMES } from '#contract/column-names.ts';
import type { MigrationPlan, Rename } from '#contract/migrations/plan.ts';
import type {
  Column,
  ComponentMember,
  ComponentShape,
  Holds,
  StorageModel,
  Table,
} from '../../storage/storage-model.ts';
import { publishedLabel } from '../../storage/published-layout.ts';
import { isTypeTable, typeTable, uidOf } from '../../storage/table-origin.ts';
import { type Cycle, cycleOf, includesCycle, spaceOf, standingExchanges, withNewOwners } from '../history/exchanges.ts';
import { groupBy } from '../history/group-by.ts';
import { isConsented, replacing } from './replaced.ts';

/** The existing names in the namespace of a rename. */
function namesIn(state: StorageModel, rename: Rename): ReadonlySet<string> {
  switch (rename.kind) {
    case 'type':
      return new Set(state.tables.filter(isTypeTable).map(({ uid }) => uid));
    case 'component':
      return new Set(state.components?.map(({ uid }) => uid));
    case 'attribute': {
      const members = state.components?.find(({ uid }) => uid === rename.owner)?.members.map(({ name }) => name) ?? [];
      const own = typeTable(state, rename.owner)?.columns ?? [];
      const links = state.tables.flatMap((table) =>
        (table.kind === 'link' || table.kind === 'morph') && table.uid === rename.owner ? [table.attribute] : [],
      );
      return new Set([
        ...members,
        ...own.flatMap(({ attribute }) => attribute ?? []),
        ...inversesOf(state, rename.owner),
        ...links,
      ]);
    }
  }
}

/** Attributes of a type that are the inverse side of a relation, which is stored in another table. */
function inversesOf(state: StorageModel, uid: string): readonly string[] {
  const tables = new Map(state.tables.map((table) => [table.name, table]));
  const isTarget = (name: string): boolean => {
    const table = tables.get(name);
    return table !== undefined && uidOf(table) === uid;
  };
  const targets = (table: Table, column: string): boolean =>
    table.foreignKeys.some((key) => key.column === column && isTarget(key.references));
  return state.tables.flatMap((table) => [
    ...(table.kind === 'link' && table.inverse !== undefined && targets(table, COLUMN_NAMES.target)
      ? [table.inverse]
      : []),
    ...table.columns.flatMap(({ name, inverse }) => (inverse !== undefined && targets(table, name) ? [inverse] : [])),
  ]);
}

/**
 * The pending renames of one namespace: the old name exists, and the new name either doesn't, or is itself renamed. All other
 * renames were carried out before.
 */
function pendingOf(
  renames: readonly Rename[],
  present: ReadonlySet<string>,
  exchanged: readonly Cycle[],
): readonly Rename[] {
  let pending = renames.filter(({ from, to }) => present.has(from) && from !== to);
  for (;;) {
    const fewer = pending.filter(({ to }) => !present.has(to) || pending.some(({ from }) => from === to));
    if (fewer.length === pending.length) break;
    pending = fewer;
  }
  return pending.filter((rename) => {
    const cycle = cycleOf(rename, pending);
    return !cycle || !exchanged.some((one) => includesCycle(one, cycle));
  });
}

function pendingIn(state: StorageModel, renames: readonly Rename[], exchanged: readonly Cycle[]): readonly Rename[] {
  const spaces = groupBy(renames, spaceOf);
  return [...spaces.values()].flatMap((own) => (own[0] ? pendingOf(own, namesIn(state, own[0]), exchanged) : []));
}

type NewName = (name: string) => string;

function namer(renames: readonly Rename[]): NewName {
  const names = new Map(renames.map(({ from, to }) => [from, to]));
  return (name) => names.get(name) ?? name;
}

function holdsNamed(holds: Holds, component: NewName): Holds {
  if (holds.kind === 'zone') return { ...holds, components: holds.components.map(component) };
  return { ...holds, component: component(holds.component) };
}

function shapeNamed(shape: ComponentShape, component: NewName, type: NewName): ComponentShape {
  const members = shape.members.map((member): ComponentMember => {
    if (member.kind === 'component') return { ...member, component: component(member.component) };
    return member.kind === 'links' ? { ...member, targets: member.targets.map(type) } : member;
  });
  return { uid: component(shape.uid), members };
}

/** The renames, together with those of the published states of what they name. */
function withPublished(renames: readonly Rename[]): readonly Rename[] {
  return renames.flatMap((rename): readonly Rename[] => {
    const { from, to } = rename;
    const published = { from: publishedLabel(from), to: publishedLabel(to) };
    switch (rename.kind) {
      case 'component':
        return [rename];
      case 'type':
        return [rename, { ...rename, ...published }];
      case 'attribute':
        return [rename, { ...rename, owner: publishedLabel(rename.owner) }, { ...rename, ...published }];
    }
  });
}

/** Renames types and components, but no attributes. */
function withOwners(state: StorageModel, renames: readonly Rename[]): StorageModel {
  const type = namer(renames.filter(({ kind }) => kind === 'type'));
  const component = namer(renames.filter(({ kind }) => kind === 'component'));
  return {
    ...state,
    tables: state.tables.map((table): Table => {
      const columns = table.columns.map((column): Column => ({
        ...column,
        ...(column.targetType === undefined ? {} : { targetType: type(column.targetType) }),
        ...(column.holds ? { holds: holdsNamed(column.holds, component) } : {}),
      }));
      return table.kind === 'server' ? { ...table, columns } : { ...table, uid: type(table.uid), columns };
    }),
    ...(state.components ? { components: state.components.map((shape) => shapeNamed(shape, component, type)) } : {}),
  };
}

/** Renames attributes. */
function withAttributes(state: StorageModel, renames: readonly Rename[]): StorageModel {
  const byOwner = groupBy(renames, (one) => (one.kind === 'attribute' ? one.owner : ''));
  const attribute = (owner: string | undefined, name: string): string => namer(byOwner.get(owner ?? '') ?? [])(name);
  const uids = new Map(state.tables.filter(isTypeTable).map(({ name, uid }) => [name, uid]));
  const targetOf = (table: Table, column: string): string | undefined =>
    uids.get(table.foreignKeys.find((key) => key.column === column)?.references ?? '');
  const tables = state.tables.map((table): Table => {
    const uid = uidOf(table);
    const columns = table.columns.map((column) => ({
      ...column,
      ...(column.attribute === undefined ? {} : { attribute: attribute(uid, column.attribute) }),
      ...(column.inverse === undefined ? {} : { inverse: attribute(targetOf(table, column.name), column.inverse) }),
    }));
    switch (table.kind) {
      case 'type':
      case 'componentLinks':
      case 'server':
        return { ...table, columns };
      case 'morph':
        return { ...table, attribute: attribute(uid, table.attribute), columns };
      case 'link': {
        const { inverse } = table;
        const other =
          inverse === undefined ? {} : { inverse: attribute(targetOf(table, COLUMN_NAMES.target), inverse) };
        return { ...table, attribute: attribute(uid, table.attribute), ...other, columns };
      }
    }
  });
  const components = state.components?.map(({ uid, members }) => ({
    uid,
    members: members.map((member) => ({ ...member, name: attribute(uid, member.name) })),
  }));
  return { ...state, tables, ...(components ? { components } : {}) };
}

/** The result of applying the schema's renames to the last state. */
export interface Relabeled {
  /** The last state with types, components and attributes renamed; tables, columns and keys keep their names. */
  readonly state: StorageModel;
  /** The renames that were applied. All others were carried out by earlier migrations. */
  readonly pending: readonly Rename[];
  /** The renames of swaps that were carried out and are no longer complete in the schema. */
  readonly takenOut: readonly Rename[];
  /** Ambiguous renames: both names exist, and the schema no longer has the old one, so one of the two would have to be deleted. */
  readonly blocked: readonly Rename[];
  /** Ambiguous renames with consent to delete the attribute that currently has the new name. */
  readonly replaced: readonly Rename[];
}

/** Applies the pending renames of the schema to the last state; `allowed` names things that may be lost. */
export function relabel(
  state: StorageModel,
  renames: readonly Rename[],
  history: readonly MigrationPlan[],
  target: StorageModel,
  allowed: readonly string[] = [],
): Relabeled {
  const isOwner = ({ kind }: Rename): boolean => kind !== 'attribute';
  const recorded = standingExchanges(history);
  const owners = pendingIn(state, renames.filter(isOwner), recorded);
  const renamed = withOwners(state, withPublished(owners));
  const standing = withNewOwners(recorded, owners);
  const ofAttributes = renames.filter((one) => !isOwner(one));
  const attributes = pendingIn(renamed, ofAttributes, standing);
  const found = [...owners, ...attributes];
  const isFreed = (rename: Rename): boolean =>
    found.some((one) => spaceOf(one) === spaceOf(rename) && one.from === rename.to);
  const taken = renames.filter((rename) => {
    const present = namesIn(isOwner(rename) ? state : renamed, rename);
    const isBoth = present.has(rename.from) && present.has(rename.to) && !found.includes(rename) && !isFreed(rename);
    return isBoth && !namesIn(target, rename).has(rename.from);
  });
  const replaced = taken.filter((rename) => isConsented(rename, allowed));
  const blocked = taken.filter((rename) => !replaced.includes(rename));
  return {
    blocked,
    state: withAttributes(renamed, withPublished([...attributes, ...replaced.flatMap(replacing)])),
    pending: [...found, ...replaced],
    replaced,
    takenOut: standing.filter((cycle) => !includesCycle(renames, cycle)).flat(),
  };
}
