/** What the types of one file are built with: its imports, and the names of all other types. */
import { posix } from 'node:path';
import { codeNames } from '../../model/naming.ts';
import { importPath, type TypesHome } from '../generated-paths.ts';
import { createImports, type Imports } from '../ts-module.ts';

/** The names that a file of types declares for one type or component. */
export interface DeclaredNames {
  /** Attributes of the answer. */
  readonly attributes: string;
  readonly entry: string;
  /** What is there when it was populated. */
  readonly relations: string;
  readonly populated: string;
  /** Which entries: of collection types. */
  readonly query: string;
  readonly create: string;
  readonly update: string;
  /** What requests can't set, and hooks can: where there is such an attribute. */
  readonly serverOnly: string;
  /** Of users: the attributes that the schema adds to them, as they are sent, and those of them that people may register with. */
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

/** The name of the input type of the component `SharedSeo`. */
export function componentInputName(pascal: string): string {
  return `${pascal}Input`;
}

export interface TypeScope {
  /** Imports the type of what may be sent of a relation. */
  relationInput(): string;
  /** Imports a type of the runtime, or of what has the same types; answers its name in the file. */
  runtime(name: string): string;
  /** Imports the populated form of a content type. */
  populated(uid: string): string;
  /** Imports a component's type, of answers or of requests. */
  component(uid: string, form: 'output' | 'input'): string;
  readonly imports: Imports;
}

/** `file` is its path, `declared` the names it declares itself. Names of other types follow from their uids. */
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
