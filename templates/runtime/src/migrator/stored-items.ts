/** Where component items are stored, according to the plans of migrations. */
import type { Change } from '../contract/migrations/change.ts';
import type { MigrationPlan } from '../contract/migrations/plan.ts';
import type { Column, ComponentShape, Holds } from '../contract/migrations/planned-table.ts';

/** All places of items. */
export interface ItemPlaces {
  /** Table → column → its items. */
  readonly tables: ReadonlyMap<string, ReadonlyMap<string, Holds>>;
  /** Component → attribute → the component of its items. */
  readonly nested: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

interface Places {
  readonly tables: Map<string, Map<string, Holds>>;
  readonly nested: Map<string, ReadonlyMap<string, string>>;
}

function nestedIn({ members }: ComponentShape): ReadonlyMap<string, string> {
  return new Map(
    members.flatMap((member) => (member.kind === 'component' ? [[member.name, member.component] as const] : [])),
  );
}

function put(columns: Map<string, Holds> | undefined, { name, holds }: Pick<Column, 'name' | 'holds'>): void {
  if (holds) columns?.set(name, holds);
  else columns?.delete(name);
}

function move<T>(map: Map<string, T> | undefined, from: string, to: string): void {
  const value = map?.get(from);
  if (value === undefined) return;
  map?.delete(from);
  map?.set(to, value);
}

function apply({ tables, nested }: Places, change: Change): void {
  switch (change.kind) {
    case 'createTable': {
      const columns = new Map<string, Holds>();
      for (const column of change.table.columns) put(columns, column);
      tables.set(change.table.name, columns);
      return;
    }
    case 'dropTable':
      tables.delete(change.table.name);
      return;
    case 'renameTable':
      return move(tables, change.from, change.to);
    case 'addColumn':
      return put(tables.get(change.table), change.column);
    case 'dropColumn':
      tables.get(change.table)?.delete(change.column.name);
      return;
    case 'renameColumn':
      return move(tables.get(change.table), change.from, change.to);
    case 'relabelColumn':
      return put(tables.get(change.table), { ...change.to, name: change.column });
    case 'defineComponent':
      if (change.from) nested.delete(change.from.uid);
      if (change.to) nested.set(change.to.uid, nestedIn(change.to));
      return;
    default:
  }
}

/** The places of items after migrations. */
export function itemPlaces(plans: readonly MigrationPlan[]): ItemPlaces {
  const places: Places = { tables: new Map(), nested: new Map() };
  for (const { changes } of plans) for (const change of changes) apply(places, change);
  return places;
}
