/**
 * Where each attribute of the content model is stored. Computed once; the storage model and the generated descriptors
 * are two readings of it, so that the server and its migrations can't disagree on a name.
 */

/** The shapes of `storage` in the runtime's descriptors. */
export type AttributeLayout =
  | { readonly kind: 'column'; readonly column: string }
  | { readonly kind: 'foreignKey'; readonly column: string; readonly position?: string; readonly unique?: true }
  | { readonly kind: 'inverseForeignKey'; readonly column: string; readonly position?: string }
  | {
      readonly kind: 'link';
      readonly table: string;
      readonly own: string;
      readonly other: string;
      readonly position: string;
      readonly otherPosition?: string;
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
  /** Attribute name → where it is. */
  readonly attributes: ReadonlyMap<string, AttributeLayout>;
  /**
   * The table with the relations and media inside the components and zones of this type, if it has any: columns `id`,
   * `owner_id`, `item_id` (of the component item), `attribute`, `position` and one nullable foreign key a target type.
   */
  readonly componentLinks: { readonly table: string; readonly targets: Readonly<Record<string, string>> } | undefined;
}

/** Singular API id → its layout. */
export type Layout = ReadonlyMap<string, TypeLayout>;
