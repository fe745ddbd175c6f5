/** A schema file as it was read. */
export interface SourceFile {
  /** As shown to people: relative to the working directory, with `/`. */
  readonly file: string;
  /** Without a byte order mark, lines ended by a line feed. */
  readonly text: string;
}
