/** Files as clients expect them. */

/** A file in a response: `id` and attributes on one level. */
export type FlatFile = { readonly id: number } & Readonly<Record<string, unknown>>;

interface FileEntry {
  readonly id: number;
  /** Undefined where the format is flat already. */
  readonly attributes?: Readonly<Record<string, unknown>>;
}

/** An entry of the type `file`, flat. */
export function flatFile(entry: unknown): FlatFile {
  const { id, attributes } = entry as FileEntry;
  return attributes ? { id, ...attributes } : (entry as FlatFile);
}
