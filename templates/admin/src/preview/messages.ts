/** What the panel and the previewed site tell each other, by `postMessage`. Both check from whom a message is. */

/** In each message, so that those of other programs are told apart: the version of the messages. */
export const PROTOCOL = 1;

export type PreviewFormat = 'v4' | 'v5';

/** The entry that is open in the form. */
export interface PreviewedEntry {
  /** The uid of its type. */
  readonly uid: string;
  readonly id: number;
  readonly documentId: string | undefined;
  readonly locale: string | undefined;
  /** As the API answers it, with sources. Relations that are as they were saved are left out. */
  readonly entry: object;
}

export type FromSite =
  /** The page has loaded. `format`: that of the entries that it takes; undefined: that of the server. */
  | { readonly contentPreview: typeof PROTOCOL; readonly kind: 'ready'; readonly format?: PreviewFormat }
  /** A text was clicked. */
  | { readonly contentPreview: typeof PROTOCOL; readonly kind: 'focus'; readonly mark: string };

export type FromPanel =
  /** `isSaved`: these are the stored values, from which the following differ. */
  | ({ readonly contentPreview: typeof PROTOCOL; readonly kind: 'values'; readonly isSaved: boolean } & PreviewedEntry)
  | { readonly contentPreview: typeof PROTOCOL; readonly kind: 'saved' }
  /** A field has the focus. */
  | { readonly contentPreview: typeof PROTOCOL; readonly kind: 'show'; readonly mark: string };
