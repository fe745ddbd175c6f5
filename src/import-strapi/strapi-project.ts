/** What a Strapi project says of its content, whether it was read from its folder or from an export of it. */

/** An object of a schema file, unchecked. */
export type Members = Readonly<Record<string, unknown>>;

/** Where something stands, for people: `src/api/article/content-types/article/schema.json:12`. */
export type PlaceOf = (path: readonly string[]) => string | undefined;

/** What content types, components and users have alike. */
export interface StrapiOwner {
  /** `api::article.article`, `plugin::users-permissions.user`, or of a component `category.name`. */
  readonly uid: string;
  readonly collectionName: string | undefined;
  readonly info: Members;
  /** Attributes as they were declared, without those that Strapi adds itself. In order. */
  readonly attributes: ReadonlyMap<string, Members>;
  readonly placeOf: PlaceOf;
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

/** How the admin panel shows the entries of a type. */
export interface StrapiView {
  readonly mainField: string | undefined;
  readonly columns: readonly string[];
  /** Labels that differ from the names of their attributes. */
  readonly labels: ReadonlyMap<string, string>;
}

/** Something that a person is told of. */
export interface Finding {
  /** `unsupported`: it has no equal here. `decide`: a person has to look. `changed`: it was taken over in another form. */
  readonly kind: 'unsupported' | 'decide' | 'changed';
  /** A type, attribute, role or file: `article.title`. */
  readonly what: string;
  readonly message: string;
  /** A file of the project, with its line where that is known. */
  readonly place?: string | undefined;
}

export interface StrapiProject {
  readonly origin: 'folder' | 'archive';
  readonly major: 4 | 5;
  /** As the source says it; undefined where it doesn't. */
  readonly version: string | undefined;
  readonly name: string;
  /** In the order of their uids. */
  readonly types: readonly StrapiType[];
  readonly components: readonly StrapiOwner[];
  /** Undefined where the project does not change the type of users. */
  readonly user: StrapiOwner | undefined;
  /** The default locale first; empty where the source does not know them. */
  readonly locales: readonly string[];
  /** Undefined where the source does not know them. */
  readonly roles: readonly StrapiRole[] | undefined;
  /** By the uid of the type. */
  readonly views: ReadonlyMap<string, StrapiView>;
  /** The types to which polymorphic relations lead in the content: by `uid.attribute`. Empty where the source has no content. */
  readonly morphTargets: ReadonlyMap<string, ReadonlySet<string>>;
  /** What stands in the source beside its content types. */
  readonly findings: readonly Finding[];
}

/** An own member; undefined if there is none. */
export function member(value: unknown, name: string): unknown {
  return isMembers(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A text that is not empty. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A source that can't be read at all. The message says what, where, and what to do. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
}
