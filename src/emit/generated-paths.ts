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
