/** Where the fields of an entry are in its form: what the layout of the schema says about the attributes that there are. */
import type { LayoutRow, PanelLayout } from '../../../runtime/src/contract/panel-view.ts';

export interface FieldTab {
  readonly name: string;
  readonly rows: readonly LayoutRow[];
}

export interface FieldPlaces {
  /** Outside of tabs. */
  readonly rows: readonly LayoutRow[];
  /** Without those that have no field. */
  readonly tabs: readonly FieldTab[];
  readonly sidebar: readonly string[];
}

/** `names` of the attributes that have fields, in the schema's order. Those that the layout leaves out have rows of their own at the end. */
export function fieldPlaces(names: readonly string[], layout: PanelLayout | undefined): FieldPlaces {
  const { rows = [], tabs = [], sidebar = [] } = layout ?? {};
  const present = (row: LayoutRow): LayoutRow => row.filter((name) => names.includes(name));
  const presentRows = (all: readonly LayoutRow[]): readonly LayoutRow[] =>
    all.map(present).filter(({ length }) => length > 0);
  const placed = new Set([...rows, ...tabs.flatMap((tab) => tab.rows), sidebar].flat());
  const rest = names.filter((name) => !placed.has(name)).map((name) => [name]);
  return {
    rows: [...presentRows(rows), ...rest],
    tabs: tabs
      .map(({ tab, rows: own }) => ({ name: tab, rows: presentRows(own) }))
      .filter((tab) => tab.rows.length > 0),
    sidebar: present(sidebar),
  };
}
