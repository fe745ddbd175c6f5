/** `openapi.json`: OpenAPI 3.1 of all routes of a server. */
import { FAILURES, pathsOf } from '#contract/routes/openapi.ts';
import type { JsonSchema } from '#contract/routes/json-schema.ts';
import type { ContentModel } from '../../model/content-model.ts';
import type { GeneratedFile } from '../../files/generated-file.ts';
import { lateJsonFile } from '../managed-file.ts';
import { draftComponents } from '../model-index.ts';
import { builtInGroups, ownTypes, routedType } from '../routed-types.ts';
import { entryRoutes } from '#contract/routes/entries.ts';
import { COMMON_SCHEMAS, commonParameters } from './common-schemas.ts';
import { namesOf, schemaNames } from './schema-names.ts';
import { componentSchemas, typeSchemas } from './type-schemas.ts';

function publicPermissions({ roles }: ContentModel): readonly string[] {
  return roles.find(({ role }) => role === 'public')?.permissions ?? [];
}

type Input = Pick<ContentModel, 'name' | 'locales' | 'contentTypes' | 'components'> & {
  /** What everybody may do. */
  readonly open: readonly string[];
};

function document(model: Input): JsonSchema {
  const types = ownTypes(model);
  const groups = builtInGroups(model);
  const names = schemaNames(model);
  const inDrafts = draftComponents(model);
  const routes = [
    ...types.flatMap((type) => entryRoutes(routedType(type, namesOf(names, type.uid)))),
    ...groups.flatMap((group) => group.routes),
  ];
  const schemas = [
    ...model.contentTypes.flatMap((type) => typeSchemas(type, names)),
    ...model.components.flatMap((component) => componentSchemas(component, names, inDrafts.has(component.uid))),
  ];
  return {
    openapi: '3.1.0',
    info: { title: model.name, version: '1.0.0' },
    servers: [{ url: '/' }],
    tags: types.map(({ uid, description }) => ({ name: uid, description })),
    paths: pathsOf(routes, new Set(model.open)),
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
export function openapiFile(model: ContentModel): GeneratedFile {
  const { name, locales, contentTypes, components } = model;
  const open = publicPermissions(model);
  return lateJsonFile('openapi.json', { name, locales, open, contentTypes, components }, document);
}
