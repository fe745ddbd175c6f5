/** The names of the types of a project, and what the types of one file refer to. */
import type { Component, ContentModel, ContentType } from '../../model/content-model.ts';
import type { Home } from '../generated-paths.ts';
import { createImports, type Imports } from '../ts-module.ts';

/** The names of the types that are declared for one content type. */
export interface DeclaredNames {
  /** Scalar attributes in responses. */
  readonly attributes: string;
  readonly entry: string;
  /** Attributes that are present only if they were populated. */
  readonly relations: string;
  readonly populated: string;
  /** Filters and sort order of a list; only for collection types. */
  readonly query: string;
  readonly create: string;
  readonly update: string;
  /** Attributes that hooks can set, but requests can't; declared only if there are any. */
  readonly serverOnly: string;
  /** Attributes that only the server's own code reads; declared only if there are any. */
  readonly private: string;
  /** The entry as the server's own code reads it; declared only if it has private attributes. */
  readonly own: string;
  /** For users: the attributes that the schema adds, in requests; and those of them that can be set on registration. */
  readonly extension: string;
  readonly registration: string;
}

/** The names for `Article`. */
function declaredNames(pascal: string): DeclaredNames {
  return {
    attributes: `${pascal}Attributes`,
    entry: pascal,
    relations: `${pascal}Relations`,
    populated: `Populated${pascal}`,
    query: `${pascal}Query`,
    create: `${pascal}Create`,
    update: `${pascal}Update`,
    serverOnly: `${pascal}ServerOnly`,
    private: `${pascal}Private`,
    own: `Own${pascal}`,
    extension: `${pascal}Extension`,
    registration: `${pascal}Registration`,
  };
}

/** The names of the types of one component: of its items in responses, and in requests. */
export interface ComponentNames {
  readonly output: string;
  readonly input: string;
}

/** The names of all types that a project declares. They are unique, since one file declares them. */
export interface TypeNames {
  type(uid: string): DeclaredNames;
  component(uid: string): ComponentNames;
  readonly all: readonly string[];
}

function required<T>(names: ReadonlyMap<string, T>, uid: string): T {
  const found = names.get(uid);
  if (!found) throw new Error(`There is no type ${uid}`);
  return found;
}

/** A name that is taken, such as `ArticleQuery` for a type `article-query` beside `article`, gets a trailing underscore. */
export function typeNames({ contentTypes, components }: Pick<ContentModel, 'contentTypes' | 'components'>): TypeNames {
  const taken = new Set<string>();
  const claim = (wanted: string): string => {
    let name = wanted;
    while (taken.has(name)) name += '_';
    taken.add(name);
    return name;
  };
  const claimTypeNames = ({ names }: ContentType): DeclaredNames => {
    const claimed = Object.entries(declaredNames(names.pascal)).map(([key, name]) => [key, claim(name)]);
    return Object.fromEntries(claimed) as DeclaredNames;
  };
  const claimComponentNames = ({ names: { pascal } }: Component): ComponentNames => ({
    output: claim(pascal),
    input: claim(`${pascal}Input`),
  });
  const types = new Map(contentTypes.map((type) => [type.uid, claimTypeNames(type)]));
  const items = new Map(components.map((component) => [component.uid, claimComponentNames(component)]));
  return {
    type: (uid) => required(types, uid),
    component: (uid) => required(items, uid),
    all: [...taken],
  };
}

export interface TypeScope {
  /** Imports the type of a relation in requests. */
  relationInput(): string;
  /** Imports a type of the runtime, or of the client library with the same types; returns its local name. */
  runtime(name: string): string;
  /** The populated form of a content type. */
  populated(uid: string): string;
  /** The type of a component, for responses or for requests. */
  component(uid: string, form: keyof ComponentNames): string;
  readonly imports: Imports;
}

export interface ScopeOptions {
  readonly home: Home;
  readonly names: TypeNames;
  /** The names that the file declares. */
  readonly declared: readonly string[];
  /** The package or file with the types that all projects share. */
  readonly library: string;
  /** The file that declares the project's types; undefined if it is the same one. */
  readonly from?: string;
}

export function createTypeScope({ home, names, declared, library, from }: ScopeOptions): TypeScope {
  const imports = createImports(declared);
  const local = (name: string): string => (from === undefined ? name : imports.add(from, name));
  return {
    imports,
    relationInput: () => imports.add(library, home === 'documents' ? 'DocumentInput' : 'RelationInput'),
    runtime: (name) => imports.add(library, name),
    populated: (uid) => local(names.type(uid).populated),
    component: (uid, form) => local(names.component(uid)[form]),
  };
}
