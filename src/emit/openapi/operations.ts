/** The paths of the content types. */
import type { ContentType } from '../../model/content-model.ts';
import { pathSegment } from '../escape.ts';
import { namesOf, schemaRef, type JsonObject, type NamesByUid } from './schema-names.ts';

type Action = 'find' | 'findOne' | 'create' | 'update' | 'delete';

interface OperationScope {
  readonly type: ContentType;
  readonly names: NamesByUid;
  /** `article.find`: what everybody may do. */
  readonly open: ReadonlySet<string>;
}

function json(schema: JsonObject): JsonObject {
  return { 'application/json': { schema } };
}

function answer(description: string, data: JsonObject, meta: JsonObject): JsonObject {
  const schema = { type: 'object', properties: { data, meta }, required: ['data', 'meta'] };
  return { description, content: json(schema) };
}

function parameters({ type }: OperationScope, action: Action): JsonObject[] {
  const isList = action === 'find' && type.kind === 'collectionType';
  const isOne = type.kind === 'collectionType' && action !== 'find' && action !== 'create';
  const names = [
    ...(isOne ? ['id'] : []),
    'fields',
    'populate',
    ...(isList ? ['filters', 'sort', 'pagination'] : []),
    ...(type.localized ? ['locale'] : []),
    ...(type.draftAndPublish && action.startsWith('find') ? ['publicationState'] : []),
  ];
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

const SUMMARIES: Readonly<Record<Action, string>> = {
  find: 'List entries',
  findOne: 'Get an entry',
  create: 'Create an entry',
  update: 'Update an entry: what is not sent stays',
  delete: 'Delete an entry',
};

const SINGLE_SUMMARIES: Readonly<Partial<Record<Action, string>>> = {
  find: 'Get the entry',
  update: 'Update the entry, or create it',
  delete: 'Delete the entry',
};

function successes({ type, names }: OperationScope, action: Action): JsonObject {
  const entry = schemaRef(namesOf(names, type.uid).output);
  const empty = { type: 'object' };
  const isSingle = type.kind === 'singleType';
  if (action === 'find' && !isSingle) {
    const meta = { type: 'object', properties: { pagination: schemaRef('Pagination') } };
    return { 200: answer('The entries of a page.', { type: 'array', items: entry }, meta) };
  }
  if (action === 'create') return { 201: answer('The new entry.', entry, empty) };
  const found = answer(action === 'delete' ? 'The entry as it was.' : 'The entry.', entry, empty);
  return isSingle && action === 'update' ? { 200: found, 201: answer('The new entry.', entry, empty) } : { 200: found };
}

function failure(name: string): JsonObject {
  return { $ref: `#/components/responses/${name}` };
}

function failures({ type }: OperationScope, action: Action): JsonObject {
  const canBeMissing = type.kind === 'singleType' ? action !== 'update' : action !== 'find' && action !== 'create';
  return {
    400: failure('Invalid'),
    401: failure('Unauthorized'),
    403: failure('Forbidden'),
    404: canBeMissing ? failure('NotFound') : undefined,
  };
}

function inData(schema: JsonObject): JsonObject {
  return { type: 'object', properties: { data: schema }, required: ['data'] };
}

/** The other form of a body, of types with media: files come with the entry that gets them. */
function formOf(type: ContentType, data: JsonObject): JsonObject {
  const media = type.attributes.filter(({ kind }) => kind === 'media');
  if (media.length === 0) return {};
  const file = { type: 'string', contentMediaType: 'application/octet-stream' };
  const files = media.map(({ name }) => [`files.${name}`, { type: 'array', items: file }] as const);
  const text = { type: 'string', contentMediaType: 'application/json', contentSchema: data };
  const schema = { type: 'object', properties: { data: text, ...Object.fromEntries(files) }, required: ['data'] };
  return { 'multipart/form-data': { schema } };
}

/** Adds a locale. Body and answer are flat. */
function localize({ type, names, open }: OperationScope): JsonObject {
  const isSingle = type.kind === 'singleType';
  const { update, output } = namesOf(names, type.uid);
  const locale = { type: 'object', properties: { locale: { type: 'string' } }, required: ['locale'] };
  const added = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] };
  const attributes = { $ref: `#/components/schemas/${output}/properties/attributes` };
  return {
    operationId: `${type.uid}.localize`,
    tags: [type.uid],
    summary: 'Add a locale to an entry; body and answer are without an envelope',
    security: [...(open.has(`${type.uid}.${isSingle ? 'update' : 'create'}`) ? [{}] : []), { bearer: [] }],
    parameters: isSingle ? [] : [{ $ref: '#/components/parameters/id' }],
    requestBody: { required: true, content: json({ allOf: [schemaRef(update), locale] }) },
    responses: {
      201: { description: 'The entry in the new locale.', content: json({ allOf: [added, attributes] }) },
      400: failure('Invalid'),
      401: failure('Unauthorized'),
      403: failure('Forbidden'),
      404: failure('NotFound'),
    },
  };
}

function operation(scope: OperationScope, action: Action): JsonObject {
  const { type, names, open } = scope;
  const id = `${type.uid}.${action}`;
  const request = action === 'create' || action === 'update' ? schemaRef(namesOf(names, type.uid)[action]) : undefined;
  return {
    operationId: id,
    tags: [type.uid],
    summary: type.kind === 'singleType' ? SINGLE_SUMMARIES[action] : SUMMARIES[action],
    security: [...(open.has(id) ? [{}] : []), { bearer: [] }],
    parameters: parameters(scope, action),
    requestBody: request && { required: true, content: { ...json(inData(request)), ...formOf(type, request) } },
    responses: { ...successes(scope, action), ...failures(scope, action) },
  };
}

/** The paths of a content type with their operations. */
export function typePaths(scope: OperationScope): [string, JsonObject][] {
  const path = `/api/${pathSegment(scope.type.route)}`;
  const of = (action: Action) => operation(scope, action);
  const withLocales = (parent: string): [string, JsonObject][] =>
    scope.type.localized ? [[`${parent}/localizations`, { post: localize(scope) }]] : [];
  if (scope.type.kind === 'singleType') {
    return [[path, { get: of('find'), put: of('update'), delete: of('delete') }], ...withLocales(path)];
  }
  const one = {
    get: of('findOne'),
    put: of('update'),
    delete: of('delete'),
  };
  return [[path, { get: of('find'), post: of('create') }], [`${path}/{id}`, one], ...withLocales(`${path}/{id}`)];
}
