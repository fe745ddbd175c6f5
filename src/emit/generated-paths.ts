/** Where the files of a type and of a component are, within the generated project. */
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

/** How a file in `fromDirectory` imports the file `path`. */
export function importPath(fromDirectory: string, path: string): string {
  const relative = posix.relative(fromDirectory, path);
  return relative.startsWith('.') ? relative : `./${relative}`;
}

/** Whose types they are: the server's own code's, or its client's; `documents`: those of the client of the v5 format. */
export type Home = 'server' | 'client' | 'documents';

/** Where files of types are, and what they import. */
export interface TypesHome {
  readonly kind: Home;
  typeFile(uid: string): string;
  componentFile(uid: string): string;
  /** The path by which a file is imported. */
  imported(file: string): string;
  /** A package or a file: where the types come from that are the same in each project. */
  readonly library: string;
}

/** The type in whose file the types of another are: those of roles, which only users refer to, are with theirs. */
function fileOwner(uid: string): string {
  return uid === 'user-role' ? 'user' : uid;
}

/** Declarations only, so that it can be used without being compiled. */
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
