/** A file as the emitters hand it over, with who owns it. Nothing is printed before it is known that it must be written. */
import { hashText } from './hash.ts';

/**
 * - `managed`: written by every build, never edited by hand;
 * - `once`: written when absent, then the team's;
 * - `history`: written once and never changed: migrations.
 */
export type Ownership = 'managed' | 'once' | 'history';

/**
 * How the printed text is formatted before it is written. `typescript`: it has the shape that prettier gives it, but for
 * lines that are too long; `none`: it has its final shape.
 */
export type Format = 'typescript' | 'none';

export interface GeneratedFile {
  /** Relative to the project, with `/`. */
  readonly path: string;
  readonly owner: Ownership;
  readonly format: Format;
  /**
   * All that the content depends on besides the generator itself, as plain data: members that are `undefined` are none. Its
   * hash tells an unchanged file without printing it.
   */
  readonly input: unknown;
  /**
   * Prints the content, ending in a line feed, from the input and nothing else: see `printFile`. Called only for a file that
   * must be written or compared.
   */
  readonly print: (input: never) => string | Promise<string>;
  /** The `shapeHash` of the content, where it is known before; null: it has none, and any change of it is an edit. */
  readonly shape?: string | null;
  /** Where the team's own code belongs instead, for the message that a managed file was edited. */
  readonly extensionPoint?: string;
}

/** A file whose input is known, as those who make it see it. */
export interface FileOf<Input> extends GeneratedFile {
  readonly input: Input;
  readonly print: (input: Input) => string | Promise<string>;
}

/** The content of a file, unformatted. */
export async function printFile(file: GeneratedFile): Promise<string> {
  return file.print(file.input as never);
}

const hashes = new WeakMap<GeneratedFile, string>();

/** The hash of all that the content depends on. Kept, as it is asked for twice and inputs are large. */
export function inputHash(file: GeneratedFile): string {
  const known = hashes.get(file);
  if (known !== undefined) return known;
  const input: unknown = file.input;
  const hash = hashText(typeof input === 'string' ? input : JSON.stringify(input));
  hashes.set(file, hash);
  return hash;
}

function itself(text: string): string {
  return text;
}

/** A file whose text is at hand in its final shape. */
export function textFile(path: string, owner: Ownership, text: string): FileOf<string> {
  return { path, owner, format: 'none', input: text, print: itself };
}
