/** A schema file after decoding. */
export interface SourceFile {
  /** As shown to the user: relative to the working directory, with `/`. */
  readonly file: string;
  /** Without a byte order mark, with line feeds as line endings. */
  readonly text: string;
}
