/** Turns the content model into all files of the project except migrations. Nothing is printed yet. */
import type { ContentModel } from '../model/content-model.ts';
import type { GeneratedFile } from '../files/generated-file.ts';
import type { Layout } from '../storage/layout.ts';
import { clientFiles } from './client/client-files.ts';
import { databaseFile } from './database/database-file.ts';
import { openapiFile } from './openapi/openapi-file.ts';
import { graphqlFiles } from './graphql/graphql-file.ts';
import { editorFiles } from './project/editor-files.ts';
import { packageFiles } from './project/package-files.ts';
import { projectFiles } from './project/project-files.ts';
import { runtimeFiles } from './project/runtime-files.ts';
import { routesFile } from './server/routes-file.ts';
import { serverFiles } from './server/server-files.ts';
import { typesFiles } from './types/types-file.ts';
import { withoutLocations } from './without-locations.ts';

/**
 * The files of a project, sorted by path. Deterministic. Throws only for an inconsistent model, which is a defect of an
 * earlier stage.
 */
export function emitProject(models: { readonly model: ContentModel; readonly layout: Layout }): GeneratedFile[] {
  const { layout } = models;
  const model = withoutLocations(models.model);
  const ownTypes = model.contentTypes.filter((type) => !type.builtIn);
  const files = [
    ...packageFiles(model),
    ...editorFiles(model),
    ...projectFiles(model, ownTypes),
    ...serverFiles(model, ownTypes),
    databaseFile(model, layout),
    openapiFile(model),
    ...graphqlFiles(model, layout),
    ...clientFiles(model),
    ...typesFiles(model),
    ...ownTypes.map(routesFile),
    ...runtimeFiles(model),
  ];
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}
