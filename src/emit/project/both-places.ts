/** Files of the team that say where the runtime is. */
import type { ContentModel } from '../../model/content-model.ts';
import type { GeneratedFile } from '../../files/generated-file.ts';

/** A file, with what it would be where the runtime is in the other place: what a build changes when the schema moves it. */
export function forBothPlaces(model: ContentModel, file: (model: ContentModel) => GeneratedFile): GeneratedFile {
  const other = model.runtime === 'vendored' ? 'package' : 'vendored';
  return { ...file(model), former: file({ ...model, runtime: other }) };
}
