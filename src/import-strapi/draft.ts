/** A schema before it is written: what stands in it, in order, with the comments that say why. */

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

export type Options = Readonly<Record<string, Json>>;

export interface DraftAttribute {
  readonly name: string;
  /** With `type` first. */
  readonly options: Options;
  /** Lines above it. */
  readonly comments: readonly string[];
}

/** A content type or a component. */
export interface DraftOwner {
  readonly uid: string;
  /** What stands above its attributes. */
  readonly options: Options;
  readonly attributes: readonly DraftAttribute[];
  readonly comments: readonly string[];
}

export interface DraftRole {
  readonly name: string;
  readonly extends: string | undefined;
  /** Type or endpoint → what may be done, in order. */
  readonly permissions: ReadonlyMap<string, readonly string[]>;
  readonly comments: readonly string[];
}

export interface DraftUsers {
  readonly attributes: readonly DraftAttribute[];
  readonly register: readonly string[];
  readonly comments: readonly string[];
}

export interface Draft {
  /** Lines at the top. */
  readonly comments: readonly string[];
  readonly name: string;
  readonly locales: readonly string[];
  readonly api: Options;
  readonly apiComments: readonly string[];
  readonly types: readonly DraftOwner[];
  readonly components: readonly DraftOwner[];
  readonly users: DraftUsers | undefined;
  readonly roles: readonly DraftRole[];
}
