/** Loads a package by `require`, whether it is installed or part of a bundle. */
import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);

/**
 * `bundled` is `() => require('the name')`: that is what bundlers follow, as they don't follow `createRequire`. It is called in a bundle
 * alone, since Node has no `require` in an ES module, and not even there where the package was left outside. Throws as `require`.
 */
export function loadPackage(name: string, bundled: () => unknown): unknown {
  if (typeof require !== 'function') return load(name);
  try {
    return bundled();
  } catch {
    return load(name);
  }
}
