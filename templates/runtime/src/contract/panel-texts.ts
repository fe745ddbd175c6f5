/** The languages of the admin panel, and the texts of a schema in them. */

/** The first is the one that a text of the schema is in unless it says otherwise. */
export const PANEL_LANGUAGES = ['en', 'de', 'fr', 'es'] as const;

export type PanelLanguage = (typeof PANEL_LANGUAGES)[number];

/** The texts of a type, a component or an attribute that people see. */
export type PanelTexts = {
  readonly displayName?: string;
  readonly description?: string;
  /** Of a type: the name of several entries. */
  readonly plural?: string;
  /** Of a type: the name of its group in the menu. */
  readonly group?: string;
  /** Of an enumeration: the names of its values. */
  readonly enumLabels?: Readonly<Record<string, string>>;
};

/** The texts that differ from those without a language. */
export type Translations = Readonly<Partial<Record<PanelLanguage, PanelTexts>>>;
