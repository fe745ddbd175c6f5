/** Reads schema files into the models of a build. Independent of the project that is written. */
import type { Diagnostic, Result } from './diagnostics/diagnostic.ts';
import { hasErrors } from './diagnostics/sort-diagnostics.ts';
import { emitProject } from './emit/emit-project.ts';
import { resolveReading } from './model/build-content-model.ts';
import type { ContentModel } from './model/content-model.ts';
import type { Models } from './plan-build.ts';
import { readSchema } from './schema/read-schema.ts';
import type { SourceFile } from './schema/source-file.ts';
import { buildStorageModel } from './storage/build-storage-model.ts';
import { checkStorage } from './storage/check-storage.ts';
import { layoutOf } from './storage/compute-layout.ts';

export interface ModelReading {
  /** Undefined if the schema has errors. */
  readonly models: Models | undefined;
  readonly sources: readonly SourceFile[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Builds the models from loaded files. Problems with the schema are in the diagnostics. */
export function readModels(loaded: Result<readonly SourceFile[]>): ModelReading {
  if (!loaded.value) return { models: undefined, sources: [], diagnostics: loaded.diagnostics };
  const { value: model, diagnostics: found } = resolveReading(readSchema(loaded.value));
  const storage = model && storageOf(model);
  const diagnostics = [...loaded.diagnostics, ...found, ...(storage?.diagnostics ?? [])];
  const isWrong = !model || !storage || hasErrors(diagnostics);
  return { models: isWrong ? undefined : modelsOf(model, storage), sources: loaded.value, diagnostics };
}

function storageOf(model: ContentModel) {
  const layout = layoutOf(model);
  const storage = buildStorageModel(model, layout);
  return { layout, storage, diagnostics: checkStorage(model, layout, storage) };
}

function modelsOf(model: ContentModel, { layout, storage }: ReturnType<typeof storageOf>): Models {
  return { model, storage, files: emitProject({ model, layout }) };
}
