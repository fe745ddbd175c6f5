/** Files in the flat shape that clients expect. */

/** A file in a response: `id` and attributes on one level. */
export type FlatFile = { readonly id: number } & Readonly<Record<string, unknown>>;

interface FileEntry {
  readonly id: number;
  /** Undefined if the format is already flat. */
  readonly attributes?: Readonly<Record<string, unknown>>;
}

/** Flattens an entry of the type `file`. */
export function flatFile(entry: unknown): FlatFile {
  const { id, attributes } = entry as FileEntry;
  return attributes ? { id, ...attributes } : (entry as FlatFile);
}
