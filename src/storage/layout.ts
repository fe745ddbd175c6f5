/**
 * Where each attribute of the content model is stored. Computed once: both the storage model and the generated
 * descriptors are derived from it, so the server and its migrations can't disagree on a name.
 */

/** The variants of `storage` in the runtime's descriptors. */
export type AttributeLayout =
  | {
      readonly kind: 'column';
      readonly column: string;
      /** The column that keeps a value unique which all locales of an entry share. */
      readonly claim?: string;
    }
  | { readonly kind: 'foreignKey'; readonly column: string; readonly position?: string; readonly unique?: true }
  | { readonly kind: 'inverseForeignKey'; readonly column: string; readonly position?: string }
  | {
      readonly kind: 'link';
      readonly table: string;
      readonly own: string;
      readonly other: string;
      readonly position: string;
      readonly otherPosition?: string;
      readonly isInverse?: true;
    }
  | { readonly kind: 'inverseMorph'; readonly table: string; readonly own: string; readonly other: string }
  | {
      readonly kind: 'morph';
      readonly table: string;
      readonly own: string;
      readonly position: string;
      /** Singular API id of the target → column. */
      readonly targets: Readonly<Record<string, string>>;
    };

export interface TypeLayout {
  readonly table: string;
  readonly localized: boolean;
  /** Attribute name → its storage. */
  readonly attributes: ReadonlyMap<string, AttributeLayout>;
  /**
   * The table of the relations and media inside components and zones of this type, if there are any: columns `id`,
   * `owner_id`, `item_id` (the component item), `attribute`, `position`, and one nullable foreign key per target type.
   */
  readonly componentLinks: { readonly table: string; readonly targets: Readonly<Record<string, string>> } | undefined;
}

/** Singular API id → its layout. */
export type Layout = ReadonlyMap<string, TypeLayout>;
