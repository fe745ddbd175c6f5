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

/** Where files of types are, and what they import. */
export interface TypesHome {
  readonly kind: 'server' | 'client';
  typeFile(uid: string): string;
  componentFile(uid: string): string;
  /** The path by which a file is imported. */
  imported(file: string): string;
  /** A package or a file: where the types come from that are the same in each project. */
  readonly library: string;
}

export const TYPES_HOMES: Readonly<Record<TypesHome['kind'], TypesHome>> = {
  server: {
    kind: 'server',
    typeFile: (uid) => `${typeDirectory(uid)}/types.ts`,
    componentFile: (uid) => `${componentDirectory(uid)}/types.ts`,
    imported: (file) => file,
    library: '@content-gen/runtime',
  },
  // Declarations only, so that it can be used without being compiled.
  client: {
    kind: 'client',
    typeFile: (uid) => `client/types/${pathSegment(uid)}.d.ts`,
    componentFile: (uid) => `client/types/components/${uid.split('.').map(pathSegment).join('/')}.d.ts`,
    imported: (file) => file.replace(/\.d\.ts$/u, '.js'),
    library: 'client/lib/client.js',
  },
};
