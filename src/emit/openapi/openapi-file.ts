/** `openapi.json`: OpenAPI 3.1 of all routes of a server. */
import { FAILURES, pathsOf } from '#contract/routes/openapi.ts';
import type { JsonSchema } from '#contract/routes/json-schema.ts';
import type { ContentModel } from '../../model/content-model.ts';
import type { GeneratedFile } from '../../output/generated-file.ts';
import { lateJsonFile } from '../managed-file.ts';
import type { ModelIndex } from '../model-index.ts';
import { modelText } from '../model-text.ts';
import { builtInGroups, ownTypes, routedType } from '../routed-types.ts';
import { entryRoutes } from '#contract/routes/entries.ts';
import { COMMON_SCHEMAS, commonParameters } from './common-schemas.ts';
import { namesOf, schemaNames } from './schema-names.ts';
import { componentSchemas, typeSchemas } from './type-schemas.ts';

function publicPermissions({ roles }: ContentModel): readonly string[] {
  return roles.find(({ role }) => role === 'public')?.permissions ?? [];
}

function document(model: ContentModel, index: ModelIndex): JsonSchema {
  const types = ownTypes(model);
  const groups = builtInGroups(model);
  const names = schemaNames(model);
  const routes = [
    ...types.flatMap((type) => entryRoutes(routedType(type, namesOf(names, type.uid)))),
    ...groups.flatMap((group) => group.routes),
  ];
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
    paths: pathsOf(routes, new Set(publicPermissions(model))),
    components: {
      schemas: {
        ...COMMON_SCHEMAS,
        ...Object.assign({}, ...groups.map((group) => group.schemas)),
        ...Object.fromEntries(schemas),
      },
      parameters: commonParameters(model.locales),
      responses: FAILURES,
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
