/** The routes `/api/content-type-builder`: descriptions of the content types, for programs that discover them before reading entries. */
import { ok } from './answers.ts';
import { ANY_OBJECT, type JsonSchema, list, object, schemaRef, TEXT } from './json-schema.ts';
import { routeTable } from './route.ts';

const ATTRIBUTES = { attributes: { type: 'object', additionalProperties: ANY_OBJECT } };

/** Schemas by name. */
export const CONTENT_TYPE_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  ContentTypeDescription: object(
    {
      uid: { ...TEXT, description: '`api::article.article`' },
      apiID: TEXT,
      plugin: { ...TEXT, description: 'For built-in types: the plugin that they belong to.' },
      schema: {
        ...ANY_OBJECT,
        ...object(
          {
            kind: { type: 'string', enum: ['collectionType', 'singleType'] },
            singularName: TEXT,
            pluralName: TEXT,
            displayName: TEXT,
            draftAndPublish: { type: 'boolean' },
            ...ATTRIBUTES,
          },
          ['kind', 'singularName', 'pluralName', 'attributes'],
        ),
      },
    },
    ['uid', 'apiID', 'schema'],
  ),
  ContentTypeList: object({ data: list(schemaRef('ContentTypeDescription')) }),
  ComponentDescription: object({
    uid: { ...TEXT, description: '`category.name`' },
    category: TEXT,
    apiId: TEXT,
    schema: { ...ANY_OBJECT, ...object({ displayName: TEXT, ...ATTRIBUTES }, ['attributes']) },
  }),
  ComponentList: object({ data: list(schemaRef('ComponentDescription')) }),
};

const BUILDER = '/api/content-type-builder';

export const CONTENT_TYPE_ROUTES = routeTable([
  {
    id: 'listContentTypes',
    method: 'GET',
    path: `${BUILDER}/content-types`,
    tag: 'content-type-builder',
    summary: 'List the content types whose entries the caller may find',
    permission: 'content-type-builder.find',
    touches: ['related'],
    answers: ok(schemaRef('ContentTypeList')),
    probe: 200,
  },
  {
    id: 'listComponents',
    method: 'GET',
    path: `${BUILDER}/components`,
    tag: 'content-type-builder',
    summary: 'List the components of these content types',
    permission: 'content-type-builder.find',
    touches: ['related'],
    answers: ok(schemaRef('ComponentList')),
    probe: 200,
  },
]);
