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
  | {
      readonly kind: 'foreignKey';
      readonly column: string;
      readonly position?: string;
      readonly unique?: true;
      /** In a type without drafts whose relation is also an attribute of a type with drafts: the columns of the published state. */
      readonly published?: PlaceLayout;
    }
  | {
      readonly kind: 'inverseForeignKey';
      readonly column: string;
      readonly position?: string;
      readonly published?: PlaceLayout;
    }
  | {
      readonly kind: 'link';
      readonly table: string;
      readonly own: string;
      readonly other: string;
      readonly position: string;
      readonly otherPosition?: string;
      readonly isInverse?: true;
      /** The table of the published state, if the relation is an attribute of a type with drafts. */
      readonly published?: string;
    }
  | {
      readonly kind: 'inverseMorph';
      readonly table: string;
      readonly own: string;
      readonly other: string;
      readonly published?: string;
    }
  | {
      readonly kind: 'morph';
      readonly table: string;
      readonly own: string;
      readonly position: string;
      /** Singular API id of the target → column. */
      readonly targets: Readonly<Record<string, string>>;
      readonly published?: string;
    };

export interface PlaceLayout {
  readonly column: string;
  readonly position?: string;
}

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
  /** With drafts: where published versions are stored. `table` has the drafts then. */
  readonly published?: PublishedLayout;
}

/** The tables of published versions. */
export interface PublishedLayout {
  readonly table: string;
  readonly componentLinks?: string;
}

/** Singular API id → its layout. */
export type Layout = ReadonlyMap<string, TypeLayout>;
