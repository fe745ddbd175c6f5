/** A reference to an entry, with its title. */
export interface EntryRef {
  readonly id: number | string;
  readonly title: string;
  /** The uid of its type, for polymorphic relations. */
  readonly type?: string;
  readonly isDraft?: boolean;
}

/** A key that identifies an entry within a relation. */
export function keyOf({ id, type }: EntryRef): string {
  return type === undefined ? String(id) : `${type}:${id}`;
}
