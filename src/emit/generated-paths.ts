/** Paths of generated files, by type and component. */
import { posix } from 'node:path';
import { pathSegment } from './escape.ts';

/** `src/generated/article` */
export function typeDirectory(uid: string): string {
  return `src/generated/${pathSegment(uid)}`;
}

/** `src/generated/components/shared/seo` */
export function componentDirectory(uid: string): string {
  return `src/generated/components/${uid.split('.').map(pathSegment).join('/')}`;
}

/** The specifier with which a file in `fromDirectory` imports the file `path`. */
export function importPath(fromDirectory: string, path: string): string {
  const relative = posix.relative(fromDirectory, path);
  return relative.startsWith('.') ? relative : `./${relative}`;
}

/** Who uses the types: the server's code or its client; `documents`: the client for the v5 format. */
export type Home = 'server' | 'client' | 'documents';

/** Where type files are located, and what they import. */
export interface TypesHome {
  readonly kind: Home;
  typeFile(uid: string): string;
  componentFile(uid: string): string;
  /** The path to use in an import of the file. */
  imported(file: string): string;
  /** The package or file that provides the types shared by all projects. */
  readonly library: string;
}

/** The type whose file contains the given type: roles, which only users refer to, are declared in the user's file. */
function fileOwner(uid: string): string {
  return uid === 'user-role' ? 'user' : uid;
}

/** Declaration files only, so that the client needs no compilation. */
const CLIENT = {
  typeFile: (uid: string) => `client/types/${pathSegment(fileOwner(uid))}.d.ts`,
  componentFile: (uid: string) => `client/types/components/${uid.split('.').map(pathSegment).join('/')}.d.ts`,
  imported: (file: string) => file.replace(/\.d\.ts$/u, '.js'),
  library: 'client/lib/client.js',
};

export const TYPES_HOMES: Readonly<Record<Home, TypesHome>> = {
  server: {
    kind: 'server',
    typeFile: (uid) => `${typeDirectory(fileOwner(uid))}/types.ts`,
    componentFile: (uid) => `${componentDirectory(uid)}/types.ts`,
    imported: (file) => file,
    library: '@content-gen/runtime',
  },
  client: { kind: 'client', ...CLIENT },
  documents: { kind: 'documents', ...CLIENT },
};
