/** The content-related parts of a Strapi project, read from its folder or from an export. */

/** An unvalidated JSON object. */
export type Members = Readonly<Record<string, unknown>>;

/** Returns a location to show to the user: `src/api/article/content-types/article/schema.json:12`. */
export type LocationOf = (path: readonly string[]) => string | undefined;

/** Members common to content types, components and users. */
export interface StrapiOwner {
  /** `api::article.article` or `plugin::users-permissions.user`; for a component, `category.name`. */
  readonly uid: string;
  readonly collectionName: string | undefined;
  readonly info: Members;
  /** Declared attributes, without those that Strapi adds itself. In order. */
  readonly attributes: ReadonlyMap<string, Members>;
  readonly locationOf: LocationOf;
}

export interface StrapiType extends StrapiOwner {
  readonly kind: 'collectionType' | 'singleType';
  readonly options: Members;
  readonly pluginOptions: Members;
}

/** A role with its actions: `api::article.article.find`. Sorted. */
export interface StrapiRole {
  /** `public`, `authenticated`, `editor`. */
  readonly type: string;
  readonly name: string;
  readonly description: string;
  readonly actions: readonly string[];
}

/** How the admin panel shows the entries of a type, or the items of a component. */
export interface StrapiView {
  readonly mainField: string | undefined;
  readonly columns: readonly string[];
  /** Labels that differ from their attribute names. */
  readonly labels: ReadonlyMap<string, string>;
}

/** Something to report to the user. */
export interface Finding {
  /**
   * `unsupported`: has no equivalent here. `decide`: the user has to decide. `changed`: was converted to a different
   * form.
   */
  readonly kind: 'unsupported' | 'decide' | 'changed';
  /** A type, attribute, role or file: `article.title`. */
  readonly what: string;
  readonly message: string;
  /** A file of the project, with the line if known. */
  readonly place?: string | undefined;
}

export interface StrapiProject {
  readonly origin: 'folder' | 'archive';
  readonly major: 4 | 5;
  /** As stated by the source; undefined if it states none. */
  readonly version: string | undefined;
  readonly name: string;
  /** Sorted by uid. */
  readonly types: readonly StrapiType[];
  readonly components: readonly StrapiOwner[];
  /** Undefined if the project does not extend the user type. */
  readonly user: StrapiOwner | undefined;
  /** The default locale first; empty if the source does not list them. */
  readonly locales: readonly string[];
  /** Undefined if the source does not contain them. */
  readonly roles: readonly StrapiRole[] | undefined;
  /** By the uid of the type or component. */
  readonly views: ReadonlyMap<string, StrapiView>;
  /**
   * The target types of polymorphic relations found in the content, by `uid.attribute`. Empty if the source has no
   * content.
   */
  readonly morphTargets: ReadonlyMap<string, ReadonlySet<string>>;
  /** Findings about parts of the source other than its content types. */
  readonly findings: readonly Finding[];
}

/** An own property; undefined if there is none. */
export function member(value: unknown, name: string): unknown {
  return isMembers(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A non-empty string. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A source that can't be read at all. The message says what is wrong, where, and what to do. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
}
