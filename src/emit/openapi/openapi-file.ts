/** `openapi.json`: OpenAPI 3.1 of all routes of a server. */
import type { ContentModel } from '../../model/content-model.ts';
import type { GeneratedFile } from '../../output/generated-file.ts';
import { lateJsonFile } from '../managed-file.ts';
import type { ModelIndex } from '../model-index.ts';
import { modelText } from '../model-text.ts';
import { ACCOUNT_OPERATIONS } from './account-operations.ts';
import { ACCOUNT_SCHEMAS } from './account-schemas.ts';
import { COMMON_RESPONSES, COMMON_SCHEMAS, commonParameters } from './common-schemas.ts';
import { FILE_OPERATIONS, FILE_SCHEMAS } from './file-operations.ts';
import { fixedPaths } from './fixed-paths.ts';
import { LOCALE_OPERATIONS } from './locale-operations.ts';
import { typePaths } from './operations.ts';
import { schemaNames, type JsonObject } from './schema-names.ts';
import { componentSchemas, typeSchemas } from './type-schemas.ts';

function publicPermissions({ roles }: ContentModel): readonly string[] {
  return roles.find(({ role }) => role === 'public')?.permissions ?? [];
}

/** What is the same for every server that has any. */
function fixedOperations(hasFiles: boolean) {
  return { ...ACCOUNT_OPERATIONS, ...(hasFiles ? { upload: FILE_OPERATIONS } : {}), locales: LOCALE_OPERATIONS };
}

function document(model: ContentModel, index: ModelIndex): JsonObject {
  const types = model.contentTypes.filter((type) => !type.builtIn);
  const names = schemaNames(model);
  const open = new Set(publicPermissions(model));
  const hasFiles = model.contentTypes.some(({ uid }) => uid === 'file');
  const schemas = [
    ...model.contentTypes.flatMap((type) => typeSchemas(type, names)),
    ...model.components.flatMap((component) =>
      componentSchemas(component, names, index.draftComponents.has(component.uid)),
    ),
  ];
  return {
    openapi: '3.1.0',
    info: { title: model.name, version: '1.0.0' },
    servers: [{ url: '/' }],
    tags: types.map(({ uid, description }) => ({ name: uid, description })),
    paths: Object.fromEntries([
      ...types.flatMap((type) => typePaths({ type, names, open })),
      ...fixedPaths(fixedOperations(hasFiles), open),
    ]),
    components: {
      schemas: {
        ...COMMON_SCHEMAS,
        ...ACCOUNT_SCHEMAS,
        ...(hasFiles ? FILE_SCHEMAS : {}),
        ...Object.fromEntries(schemas),
      },
      parameters: commonParameters(model.locales),
      responses: COMMON_RESPONSES,
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
    },
  };
}

/** `openapi.json`, of all types with routes of their own. */
export function openapiFile(model: ContentModel, index: ModelIndex): GeneratedFile {
  const source = [
    JSON.stringify(['openapi', model.name, model.locales, publicPermissions(model)]),
    ...model.contentTypes.map(modelText),
    ...model.components.map(modelText),
  ];
  return lateJsonFile('openapi.json', source, () => document(model, index));
}
