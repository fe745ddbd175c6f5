/** Checks whether the imported schema builds. */
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { resolveReading } from '../model/build-content-model.ts';
import { readSchema } from '../schema/read-schema.ts';
import type { SourceFile } from '../schema/source-file.ts';
import { buildStorageModel } from '../storage/build-storage-model.ts';
import { checkStorage } from '../storage/check-storage.ts';
import { layoutOf } from '../storage/compute-layout.ts';

/** The errors and warnings that a build of these files would report. */
export function checkFiles(files: readonly SourceFile[]): readonly Diagnostic[] {
  const { value: model, diagnostics } = resolveReading(readSchema(files));
  const found = [...diagnostics];
  if (model !== undefined) {
    const layout = layoutOf(model);
    found.push(...checkStorage(model, layout, buildStorageModel(model, layout)));
  }
  return found.filter(({ severity }) => severity !== 'info');
}
