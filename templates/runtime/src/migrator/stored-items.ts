/** Where component items are stored, according to the `plan.json` of migrations. */

/** The component items in a JSON column. */
export type StoredItems =
  | { readonly kind: 'component'; readonly component: string }
  | { readonly kind: 'zone'; readonly components: readonly string[] };

interface PlanColumn {
  readonly name: string;
  readonly holds?: StoredItems;
}

interface PlanComponent {
  readonly uid: string;
  readonly members: readonly { readonly name: string; readonly kind: string; readonly component?: string }[];
}

/** The changes of a plan that say where items are; other kinds are ignored. */
type Change =
  | {
      readonly kind: 'createTable' | 'dropTable';
      readonly table: { readonly name: string; readonly columns: readonly PlanColumn[] };
    }
  | { readonly kind: 'renameTable'; readonly from: string; readonly to: string }
  | { readonly kind: 'addColumn' | 'dropColumn'; readonly table: string; readonly column: PlanColumn }
  | { readonly kind: 'renameColumn'; readonly table: string; readonly from: string; readonly to: string }
  | {
      readonly kind: 'describeColumn';
      readonly table: string;
      readonly column: string;
      readonly to: Partial<PlanColumn>;
    }
  | { readonly kind: 'defineComponent'; readonly from?: PlanComponent; readonly to?: PlanComponent };

/** All places of items. */
export interface ItemPlaces {
  /** Table → column → its items. */
  readonly tables: ReadonlyMap<string, ReadonlyMap<string, StoredItems>>;
  /** Component → attribute → the component of its items. */
  readonly nested: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

interface Places {
  readonly tables: Map<string, Map<string, StoredItems>>;
  readonly nested: Map<string, ReadonlyMap<string, string>>;
}

function nestedIn({ members }: PlanComponent): ReadonlyMap<string, string> {
  return new Map(
    members.flatMap(({ name, component }) => (component === undefined ? [] : [[name, component] as const])),
  );
}

function put(columns: Map<string, StoredItems> | undefined, { name, holds }: PlanColumn): void {
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
      const columns = new Map<string, StoredItems>();
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
    case 'describeColumn':
      return put(tables.get(change.table), { ...change.to, name: change.column });
    case 'defineComponent':
      if (change.from) nested.delete(change.from.uid);
      if (change.to) nested.set(change.to.uid, nestedIn(change.to));
      return;
    default:
  }
}

/** The places of items after migrations, by the text of their plans. */
export function itemPlaces(plans: readonly string[]): ItemPlaces {
  const places: Places = { tables: new Map(), nested: new Map() };
  for (const plan of plans) {
    const { changes = [] } = JSON.parse(plan) as { readonly changes?: readonly Change[] };
    for (const change of changes) apply(places, change);
  }
  return places;
}
