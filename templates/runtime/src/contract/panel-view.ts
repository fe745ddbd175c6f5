/** How the admin panel shows the entries of a type: what `admin` of a type in the schema says. */
import type { PanelLanguage } from './panel-texts.ts';
import type { JsonValue } from './values/json.ts';

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

/** The states of entries by which lists can be narrowed. */
export const LIST_STATES = ['draft', 'published', 'modified'] as const;

export type ListState = (typeof LIST_STATES)[number];

/** What a list can be narrowed to at once. It gives no rights: whoever looks sees what a request with these filters answers. */
export type ListView = {
  /** Identifies it in addresses. */
  readonly name: string;
  /** The name that people see; by default `name`. */
  readonly displayName?: string;
  /** Its name in other languages. */
  readonly texts?: Readonly<Partial<Record<PanelLanguage, string>>>;
  /** Filters of a request, in which `$user` is the id of the user, and `$now` the time. */
  readonly filters?: Readonly<Record<string, JsonValue>>;
  readonly state?: ListState;
  /** The column by which it is sorted at first. */
  readonly sort?: { readonly column: string; readonly descending?: true };
  readonly columns?: readonly string[];
};

/** A view for some roles; for all if it names none. */
export type ListViewOfRoles = ListView & { readonly roles?: readonly string[] };

export interface AdminView {
  /** The attribute that identifies an entry to people. */
  readonly mainField?: string;
  /** The columns of lists. */
  readonly columns?: readonly string[];
  /** The columns of lists for roles that have others. */
  readonly columnsOf?: Readonly<Record<string, readonly string[]>>;
  readonly views?: readonly ListViewOfRoles[];
  /** The name of several entries. */
  readonly plural?: string;
  /** Types of the same group are shown together. */
  readonly group?: string;
  readonly icon?: PanelIcon;
  readonly layout?: PanelLayout;
}
