/** A file as the emitters hand it over, with who owns it. Nothing is printed before it is known that it must be written. */

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
  readonly ownership: Ownership;
  readonly format: Format;
  /**
   * Everything that the content depends on besides the generator itself, as text: files of the same source have the
   * same content. Its hash tells an unchanged file without printing it.
   */
  readonly source: string;
  /** Prints the content, ending in a line feed. Called only for a file that must be written or compared. */
  print(): string | Promise<string>;
  /** The `shapeHash` of the content, where it is known before. */
  readonly shape?: string;
  /** Where the team's own code belongs instead, for the message that a managed file was edited. */
  readonly extensionPoint?: string;
}
