/** Where the runtime of a project is, as its manifest tells. */
import { type ManifestState, recordsOf } from './manifest.ts';

/** Its package, as projects import it. */
export const RUNTIME_PACKAGE = '@content-gen/runtime';

/** Its folder in a project. */
export const RUNTIME_FOLDER = 'runtime/';

/** Represents the whole folder in the manifest: if this file is owned by the team, so is the folder. */
export const RUNTIME_MARK = 'runtime/package.json';

/** Whether the runtime is in the project, and not an installed package. */
export function isVendored(manifest: ManifestState): boolean {
  return recordsOf(manifest).has(RUNTIME_MARK);
}

/** Whether the runtime was ejected: then all of its folder is owned by the team. */
export function isEjected(manifest: ManifestState): boolean {
  return recordsOf(manifest).get(RUNTIME_MARK)?.owner === 'once';
}
