/** An entry as others show it: by its title. */
export interface EntryRef {
  readonly id: number | string;
  readonly title: string;
  /** The uid of its type, behind a relation to several types. */
  readonly type?: string;
  readonly isDraft?: boolean;
}

/** Tells entries apart, of one type and of several. */
export function keyOf({ id, type }: EntryRef): string {
  return type === undefined ? String(id) : `${type}:${id}`;
}
