/** A schema before it is printed: its contents, in order, with comments that explain them. */

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

export type Options = Readonly<Record<string, Json>>;

export interface DraftAttribute {
  readonly name: string;
  /** `type` comes first. */
  readonly options: Options;
  /** Comment lines above the attribute. */
  readonly comments: readonly string[];
}

/** A content type or a component. */
export interface DraftOwner {
  readonly uid: string;
  /** Options printed before the attributes. */
  readonly options: Options;
  readonly attributes: readonly DraftAttribute[];
  readonly comments: readonly string[];
}

export interface DraftRole {
  readonly name: string;
  readonly extends: string | undefined;
  /** Type or endpoint → allowed actions, in order. */
  readonly permissions: ReadonlyMap<string, readonly string[]>;
  readonly comments: readonly string[];
}

export interface DraftUsers {
  readonly attributes: readonly DraftAttribute[];
  readonly register: readonly string[];
  readonly comments: readonly string[];
}

export interface Draft {
  /** Comment lines at the top of the file. */
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
