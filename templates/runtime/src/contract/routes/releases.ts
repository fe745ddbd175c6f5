/** The routes `/api/releases`: entries that are published, or taken back, together. */
import { created, ok } from './answers.ts';
import { type JsonSchema, list, object, schemaRef, TEXT, TIME, TIME_OR_NULL } from './json-schema.ts';
import { routeTable } from './route.ts';

const ACTION: JsonSchema = { type: 'string', enum: ['publish', 'unpublish'] };

const ITEM_INPUT = object(
  {
    type: { ...TEXT, description: '`article`' },
    id: {
      type: ['integer', 'string'],
      description: 'The id of the entry, or its document id. None for single types.',
    },
    locale: TEXT,
    action: ACTION,
  },
  ['type', 'action'],
);

const AT: JsonSchema = { ...TIME_OR_NULL, description: 'When it is published by itself; null: when somebody does it.' };

const REFUSAL = object(
  {
    item: { type: 'integer', description: 'The index of the item.' },
    message: TEXT,
    errors: { ...list(object({ path: list(TEXT), message: TEXT })), description: 'Each value that was refused.' },
  },
  ['item', 'message'],
);

const INPUT = { name: TEXT, items: { ...list(ITEM_INPUT), maxItems: 200 }, at: AT };

/** Schemas by name. */
export const RELEASE_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Release: object(
    {
      id: { type: 'integer' },
      name: TEXT,
      state: { type: 'string', enum: ['open', 'planned', 'published', 'reverted'] },
      at: AT,
      items: {
        ...list(
          object({ type: TEXT, id: { type: 'integer' }, documentId: TEXT, locale: TEXT, action: ACTION }, [
            'type',
            'id',
            'action',
          ]),
        ),
        description: 'Without those that are hidden from the caller.',
      },
      hidden: { type: 'integer', description: 'How many items are hidden from the caller.' },
      version: { type: 'integer' },
      createdAt: TIME,
      publishedAt: TIME_OR_NULL,
      refusals: {
        ...list(schemaRef('ReleaseRefusal')),
        description: 'Why it was not published when it was due.',
      },
    },
    ['id', 'name', 'state', 'at', 'items', 'hidden', 'version', 'createdAt', 'publishedAt', 'refusals'],
  ),
  ReleaseRefusal: REFUSAL,
  ReleaseCreateRequest: object(INPUT, ['name']),
  ReleaseUpdateRequest: object(
    {
      ...INPUT,
      version: { type: 'integer', description: 'The version that is changed; others are refused with 412.' },
    },
    [],
  ),
  ReleaseResponse: object({ data: schemaRef('Release'), meta: object({}) }),
  ReleaseListResponse: object({ data: list(schemaRef('Release')), meta: object({}) }),
  ReleaseCheckResponse: object({ data: object({ refusals: list(schemaRef('ReleaseRefusal')) }), meta: object({}) }),
};

const RELEASE = ok(schemaRef('ReleaseResponse'));
const PATH = '/api/releases';

export const RELEASE_ROUTES = routeTable([
  {
    id: 'listReleases',
    method: 'GET',
    path: PATH,
    tag: 'releases',
    summary: 'List releases, the newest first; `?before=57` continues after a page of 100',
    permission: 'releases.find',
    answers: ok(schemaRef('ReleaseListResponse')),
    probe: 200,
  },
  {
    id: 'createRelease',
    method: 'POST',
    path: PATH,
    tag: 'releases',
    summary: 'Create a release',
    permission: 'releases.create',
    body: { json: schemaRef('ReleaseCreateRequest') },
    answers: created(schemaRef('ReleaseResponse')),
    probe: 400,
  },
  {
    id: 'getRelease',
    method: 'GET',
    path: `${PATH}/{id}`,
    tag: 'releases',
    summary: 'Get a release',
    permission: 'releases.find',
    answers: RELEASE,
    probe: 404,
  },
  {
    id: 'updateRelease',
    method: 'PUT',
    path: `${PATH}/{id}`,
    tag: 'releases',
    summary: 'Update a release that is not published',
    permission: 'releases.update',
    body: { json: schemaRef('ReleaseUpdateRequest') },
    answers: RELEASE,
    probe: 404,
  },
  {
    id: 'deleteRelease',
    method: 'DELETE',
    path: `${PATH}/{id}`,
    tag: 'releases',
    summary: 'Delete a release; its entries stay as they are',
    permission: 'releases.delete',
    answers: [{ status: 204 }],
    probe: 404,
  },
  {
    id: 'checkRelease',
    method: 'POST',
    path: `${PATH}/{id}/actions/check`,
    tag: 'releases',
    summary: 'Find out what would refuse a release, without publishing anything',
    permission: 'releases.find',
    answers: ok(schemaRef('ReleaseCheckResponse')),
    probe: 404,
  },
  {
    id: 'publishRelease',
    method: 'POST',
    path: `${PATH}/{id}/actions/publish`,
    tag: 'releases',
    summary: 'Publish a release in one transaction: all of it, or nothing',
    permission: 'releases.publish',
    answers: RELEASE,
    probe: 404,
  },
  {
    id: 'revertRelease',
    method: 'POST',
    path: `${PATH}/{id}/actions/revert`,
    tag: 'releases',
    summary: 'Make the former published versions current again, in one transaction, if nobody has changed them since',
    permission: 'releases.publish',
    answers: RELEASE,
    probe: 404,
  },
]);
