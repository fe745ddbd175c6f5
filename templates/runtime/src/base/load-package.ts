/** Loads packages by `require`, whether they are installed or part of a bundle. */
import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);

/**
 * `bundled` is `() => require('name')`, which bundlers resolve, unlike `createRequire`. Outside of a bundle there is no
 * `require` in an ES module, so `createRequire` is used; so it is in a bundle that leaves the package external. Throws
 * like `require`.
 */
export function loadPackage(name: string, bundled: () => unknown): unknown {
  if (typeof require !== 'function') return load(name);
  try {
    return bundled();
  } catch {
    return load(name);
  }
}

/** Loads a package that is never bundled; undefined if it is not installed. Throws if it is broken. */
export function loadOptional(name: string): unknown {
  try {
    return load(name);
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND';
    if (isMissing) return undefined;
    throw error;
  }
}
