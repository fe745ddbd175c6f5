/** How the admin panel shows the entries of a type: what `admin` of a type in the schema says. */
import type { PanelLanguage } from './panel-texts.ts';

/** The icons that types may have, by name. */
export const PANEL_ICONS = [
  'archive',
  'article',
  'book',
  'bookmark',
  'brush',
  'build',
  'calendar',
  'camera',
  'cart',
  'category',
  'chat',
  'code',
  'dashboard',
  'email',
  'event',
  'factory',
  'favorite',
  'flag',
  'folder',
  'group',
  'help',
  'home',
  'image',
  'info',
  'inventory',
  'label',
  'language',
  'link',
  'list',
  'map',
  'menu',
  'music',
  'newspaper',
  'notifications',
  'payments',
  'person',
  'phone',
  'place',
  'restaurant',
  'school',
  'settings',
  'star',
  'store',
  'video',
  'work',
] as const;

export type PanelIcon = (typeof PANEL_ICONS)[number];

/** The names of attributes that stand side by side. */
export type LayoutRow = readonly string[];

/** Rows that are shown while their tab is selected. */
export type LayoutTab = {
  readonly tab: string;
  /** Its name in other languages. */
  readonly texts?: Readonly<Partial<Record<PanelLanguage, string>>>;
  readonly rows: readonly LayoutRow[];
};

/** The form of an entry. Attributes that it doesn't name follow below `rows`. */
export type PanelLayout = {
  /** Outside of tabs: if there are tabs, they are the first. */
  readonly rows: readonly LayoutRow[];
  readonly tabs?: readonly LayoutTab[];
  /** Beside the form. */
  readonly sidebar?: readonly string[];
};

export interface AdminView {
  /** The attribute that identifies an entry to people. */
  readonly mainField?: string;
  /** The columns of lists. */
  readonly columns?: readonly string[];
  /** The columns of lists for roles that have others. */
  readonly columnsOf?: Readonly<Record<string, readonly string[]>>;
  /** Types of the same group are shown together. */
  readonly group?: string;
  readonly icon?: PanelIcon;
  readonly layout?: PanelLayout;
}
