/** Models from schemas that are given as objects. */
import { stringify } from 'yaml';
import { schemaNotes } from '../../src/migrations/plan/schema-notes.ts';
import type { SchemaNotes } from '../../src/migrations/plan/plan-migration.ts';
import { buildContentModel } from '../../src/model/build-content-model.ts';
import type { ContentModel } from '../../src/model/content-model.ts';
import { readSchema } from '../../src/schema/read-schema.ts';
import { buildStorageModel } from '../../src/storage/build-storage-model.ts';
import { layoutOf } from '../../src/storage/compute-layout.ts';
import type { Layout } from '../../src/storage/layout.ts';
import type { StorageModel } from '../../src/storage/storage-model.ts';

export interface Models {
  readonly model: ContentModel;
  readonly layout: Layout;
  readonly storage: StorageModel;
  readonly notes: SchemaNotes;
}

/** Throws if the schema has an error. */
export function modelsOf(schema: unknown): Models {
  const text = typeof schema === 'string' ? schema : stringify(schema, { aliasDuplicateObjects: false });
  const read = readSchema([{ file: 'schema.yaml', text }]);
  const built = read.value && buildContentModel(read.value);
  if (!built?.value) {
    throw new Error([...read.diagnostics, ...(built?.diagnostics ?? [])].map(({ message }) => message).join('\n'));
  }
  const model = built.value;
  const layout = layoutOf(model);
  return { model, layout, storage: buildStorageModel(model, layout), notes: schemaNotes(model) };
}
