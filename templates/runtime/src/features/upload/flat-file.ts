/** Files as clients expect them. */

/** A file in a response: `id` and attributes on one level. */
export type FlatFile = { readonly id: number } & Readonly<Record<string, unknown>>;

interface FileEntry {
  readonly id: number;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** An entry of the type `file`, flat. */
export function flatFile(entry: unknown): FlatFile {
  const { id, attributes } = entry as FileEntry;
  return { id, ...attributes };
}
