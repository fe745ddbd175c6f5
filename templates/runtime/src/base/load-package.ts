/** Loads packages by `require`, whether they are installed or part of a bundle. */
import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);

/**
 * Loads a package. `bundled` is `() => require('name')`, which bundlers resolve, unlike `createRequire`. An ES module that is
 * not bundled has no `require`, so `createRequire` is used there, and also in bundles that leave the package external. Throws
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
