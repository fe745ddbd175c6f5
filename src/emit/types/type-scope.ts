/** Context for building the types of one file: its imports, and the names of all other types. */
import { posix } from 'node:path';
import { codeNames } from '../../model/naming.ts';
import { importPath, type TypesHome } from '../generated-paths.ts';
import { createImports, type Imports } from '../ts-module.ts';

/** The names that a file of types declares for one type or component. */
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
  /** For users: the attributes that the schema adds, in requests; and those of them that can be set on registration. */
  readonly extension: string;
  readonly registration: string;
}

/** The names for `Article`. */
export function declaredNames(pascal: string): DeclaredNames {
  return {
    attributes: `${pascal}Attributes`,
    entry: pascal,
    relations: `${pascal}Relations`,
    populated: `Populated${pascal}`,
    query: `${pascal}Query`,
    create: `${pascal}Create`,
    update: `${pascal}Update`,
    serverOnly: `${pascal}ServerOnly`,
    extension: `${pascal}Extension`,
    registration: `${pascal}Registration`,
  };
}

/** The name of the input type of a component such as `SharedSeo`. */
export function componentInputName(pascal: string): string {
  return `${pascal}Input`;
}

export interface TypeScope {
  /** Imports the type of a relation in requests. */
  relationInput(): string;
  /** Imports a type of the runtime, or of the client library with the same types; returns its local name. */
  runtime(name: string): string;
  /** Imports the populated form of a content type. */
  populated(uid: string): string;
  /** Imports the type of a component, for responses or for requests. */
  component(uid: string, form: 'output' | 'input'): string;
  readonly imports: Imports;
}

/**
 * `file` is the path of the file, `declared` the names that it declares. Names of other types follow from their uids.
 */
export function createTypeScope(home: TypesHome, file: string, declared: readonly string[]): TypeScope {
  const imports = createImports(declared);
  const directory = posix.dirname(file);
  const local = (path: string, name: string): string =>
    path === file ? name : imports.add(importPath(directory, home.imported(path)), name);
  const library = home.library.startsWith('@') ? home.library : importPath(directory, home.library);
  return {
    imports,
    relationInput: () => imports.add(library, home.kind === 'documents' ? 'DocumentInput' : 'RelationInput'),
    runtime: (name) => imports.add(library, name),
    populated: (uid) => local(home.typeFile(uid), declaredNames(codeNames(uid).pascal).populated),
    component: (uid, form) => {
      const { pascal } = codeNames(uid);
      return local(home.componentFile(uid), form === 'output' ? pascal : componentInputName(pascal));
    },
  };
}
