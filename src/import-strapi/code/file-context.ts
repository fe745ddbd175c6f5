/** What the translation of a file needs to know about the project. */

export type Role =
  'controller' | 'service' | 'routes' | 'policy' | 'middleware' | 'lifecycles' | 'start' | 'cron' | 'users' | 'helper';

/** A content type, or a built-in type. */
export interface TypeInfo {
  readonly uid: string;
  /** In the schema: the name in `entries`. */
  readonly name: string;
  readonly plural: string;
  readonly isSingle: boolean;
  readonly hasDrafts: boolean;
}

/** A file whose functions others call by the uid of the service or controller. */
export interface OwnModule {
  /** The path of the translated module, within the extensions. */
  readonly path: string;
  readonly names: ReadonlySet<string>;
}

export interface ProjectContext {
  readonly major: 4 | 5;
  readonly types: ReadonlyMap<string, TypeInfo>;
  /** By uid: `api::article.article`. */
  readonly services: ReadonlyMap<string, OwnModule>;
  readonly controllers: ReadonlyMap<string, OwnModule>;
  /** Files whose modules have a default export. */
  readonly withDefault: ReadonlySet<string>;
  /** All files of the project, and what they become; undefined if they become nothing. */
  readonly modules: ReadonlyMap<string, string | undefined>;
}

export interface FileContext extends ProjectContext {
  /** In the project of Strapi. */
  readonly path: string;
  /** Within the extensions. */
  readonly target: string;
  readonly role: Role;
  /** The uid of a controller or service. */
  readonly uid: string | undefined;
  /** The names by which the methods of this module are exported and called: method → function. */
  readonly methods: ReadonlyMap<string, string>;
}
