/** Text with marks and structure, between pasted HTML and what an editor takes of it. */

/** Text with its marks. A line break is the text `\n`. */
export interface Run {
  readonly text: string;
  readonly bold?: boolean;
  readonly italic?: boolean;
  readonly underline?: boolean;
  readonly strike?: boolean;
  readonly code?: boolean;
  readonly href?: string;
}

export type RichBlock =
  | { readonly kind: 'paragraph' | 'quote'; readonly runs: readonly Run[] }
  | { readonly kind: 'heading'; readonly level: number; readonly runs: readonly Run[] }
  | { readonly kind: 'list'; readonly isOrdered: boolean; readonly items: readonly RichItem[] }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'table'; readonly rows: readonly (readonly (readonly Run[])[])[] }
  | RichImage;

export interface RichItem {
  readonly runs: readonly Run[];
  readonly lists: readonly RichBlock[];
}

export interface RichImage {
  readonly kind: 'image';
  readonly url: string;
  readonly alt: string;
  /** The stored file of a `blocks` image. */
  readonly file?: object;
}

/** Protocols that the server accepts in links; others, such as `javascript:`, could execute code. */
export const SAFE_URL = /^(?:https?:|mailto:|tel:|\/|#|\?|\.)/iu;

/** Whether blocks have more than unformatted text. */
export function isFormatted(blocks: readonly RichBlock[]): boolean {
  return blocks.some((block) => block.kind !== 'paragraph' || block.runs.some((run) => Object.keys(run).length > 1));
}
