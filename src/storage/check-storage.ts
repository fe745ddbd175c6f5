/** Finds schemas that are valid, but impossible to store in a database. */
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { ContentModel } from '../model/content-model.ts';
import { findExceededLimits } from './engine-limits.ts';
import type { Layout } from './layout.ts';
import { findNameClashes } from './name-clashes.ts';
import type { StorageModel } from './storage-model.ts';

/** Errors for names that clash in the database, and for tables that are too large for one of the engines. */
export function checkStorage(model: ContentModel, layout: Layout, storage: StorageModel): readonly Diagnostic[] {
  return [...findNameClashes(model, layout), ...findExceededLimits(model, storage)];
}
