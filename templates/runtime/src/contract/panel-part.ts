/**
 * What a team adds to the admin panel: the default export of `src/extensions/admin/index.ts`, as the package exports it under `/panel`.
 * Types only, as the code that uses them runs in browsers.
 */
import type { ScalarRules } from './attribute-types/attribute-type.ts';
import type { ScalarType } from './attribute-types/scalar-type.ts';

/** An element of the page. Only code for browsers knows its type; the server's does without. */
export type PanelElement = typeof globalThis extends { HTMLElement: { prototype: infer Element } } ? Element : never;

/** A text, or one for each language of the panel: `{ en: 'Colour', de: 'Farbe' }`. */
export type PanelText = string | Readonly<Record<string, string>>;

/** Six hexadecimal digits after `#`. */
export type PanelColor = `#${string}`;

/** A permission of the schema, such as `article.update`. */
export type PanelPermission = `${string}.${string}`;

export interface PanelRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Sent as JSON. */
  readonly body?: unknown;
}

/** What every part has. */
export interface PanelTools {
  /** Sends a request to the server as the signed-in user, and returns the body of the response. `path`: below `/api/`. */
  request<Body = unknown>(path: string, request?: PanelRequest): Promise<Body>;
  /** Shows a text for a moment. */
  notify(text: PanelText, kind?: 'info' | 'success' | 'warning' | 'error'): void;
}

/** How the panel is shown. */
export interface PanelState {
  /** The language of the panel: `en`, `de`, `fr`, `es`, or one of the team's own. */
  readonly language: string;
  readonly isDark: boolean;
}

/** What a function that has put something on the page returns. */
export interface Shown<State> {
  /** Called at first, and after each change of what it is given. It can't set the value. */
  update?(state: State): void;
  /** Called before its element leaves the page. */
  remove?(): void;
}

/** The attribute of a field, as the schema defines it. */
export interface FieldAttribute extends Omit<ScalarRules, 'required' | 'unique'> {
  readonly name: string;
  readonly type: ScalarType;
  /** In the language of the panel. */
  readonly label: string;
  readonly description?: string;
  readonly enumLabels?: Readonly<Record<string, string>>;
  readonly isRequired: boolean;
}

export interface FieldState<Value> extends PanelState {
  /** Null if there is none. */
  readonly value: Value | null;
  readonly attribute: FieldAttribute;
  /** Whether the value can't be changed. */
  readonly isReadOnly: boolean;
  /** Whether it breaks a rule, which the panel says below the field. */
  readonly isInvalid: boolean;
  /** The locale of the entry, if its type is localized. */
  readonly locale: string | undefined;
  /** The value of another attribute in the form: `title`, `seo.metaTitle`. `update` is called again when it changes. */
  get(path: string): unknown;
}

export interface FieldTools<Value> extends PanelTools {
  /** What the field is put into. */
  readonly host: PanelElement;
  /** Changes the value in the form. Saving, rules and undoing are the panel's. */
  setValue(value: Value | null): void;
}

/** A field: puts it into `host`, once for each form. */
export type PanelField<Value = unknown> = (tools: FieldTools<Value>) => Shown<FieldState<Value>>;

export interface PageTools extends PanelTools {
  readonly host: PanelElement;
  /** Goes to another screen of the panel: `articles/1`. */
  open(path: string): void;
}

export interface PanelPage {
  /** The last part of its address, `/admin/-/statistics`: lower-case letters and digits, joined by hyphens. */
  readonly path: string;
  readonly title: PanelText;
  /** Without it, everybody has the page who has the panel. */
  readonly permission?: PanelPermission;
  /** Puts the page into `host`. */
  readonly show: (tools: PageTools) => Shown<PanelState>;
}

interface ButtonBase {
  readonly label: PanelText;
  /** The content types whose entries have it; by default all. */
  readonly types?: readonly string[];
  /** Without it, everybody has the button who has the screen. */
  readonly permission?: PanelPermission;
}

export interface EntryTools extends PanelTools {
  /** The content type: `article`. */
  readonly type: string;
  readonly id: number;
  readonly locale: string | undefined;
  /** A value in the form, which may not be saved: `title`, `seo.metaTitle`. */
  get(path: string): unknown;
  /** Changes a value in the form, as the user does. */
  setValue(path: string, value: unknown): void;
  /** Reads the entry again. Unsaved changes stay, on top of it. */
  reload(): Promise<void>;
}

export interface EntryButton extends ButtonBase {
  /** In the form of an entry that there is. */
  readonly place: 'entry';
  readonly run: (tools: EntryTools) => void | Promise<void>;
}

export interface ListTools extends PanelTools {
  readonly type: string;
  /** The selected entries. */
  readonly ids: readonly number[];
  /** The locale of the list, if the type is localized. */
  readonly locale: string | undefined;
  /** Reads the list again. */
  reload(): void;
}

export interface ListButton extends ButtonBase {
  /** Above a list. */
  readonly place: 'list';
  readonly run: (tools: ListTools) => void | Promise<void>;
}

/** Texts of the panel by key, as in its English ones. */
export interface LanguageTexts {
  readonly [key: string]: string | LanguageTexts;
}

/** A language that the panel doesn't have. */
export interface OwnLanguage {
  /** In the language itself: `עברית`. */
  readonly name: string;
  /** What it leaves out is in English. */
  readonly texts: LanguageTexts;
}

/** What a team adds to the panel. */
export interface Panel {
  /** By the names that the schema uses: `admin: { field: color }`. */
  // oxlint-disable-next-line typescript/no-explicit-any -- the attribute decides which values there are
  readonly fields?: Readonly<Record<string, PanelField<any>>>;
  readonly pages?: readonly PanelPage[];
  readonly buttons?: readonly (EntryButton | ListButton)[];
  /** Further languages, by their codes: `he`, `pt-BR`. */
  readonly languages?: Readonly<Record<string, OwnLanguage>>;
  /** The name of the panel, on the start page and the sign-in screen; by default that of the project. */
  readonly name?: PanelText;
  /** An image in the bar at the top and on the sign-in screen: a path on the server, or a `data:` URL. */
  readonly logo?: string;
  /** The main colour of each theme, such as `#00796b`. Where text would not be readable in it, it gets darker or lighter. */
  readonly colors?: { readonly light?: PanelColor; readonly dark?: PanelColor };
}
