/** Finds the route of an operation, and does what the route does. */
import type { ContentType, ContentTypes } from '../../contract/content-type.ts';
import { BadRequestError } from '../../contract/errors.ts';
import { SUBJECTS } from '../../contract/policy/permission-name.ts';
import { mountedRoutes } from '../../contract/routes/entries.ts';
import type { EntryServices } from '../../entries/create-services.ts';
import type { CollectionService, PublicationAction } from '../../entries/service.ts';
import { entryKeyOf } from '../../http/entry-id.ts';
import type { EntryAnswer } from '../../query/answer.ts';
import { type EntryRequest, isDocumentRequest } from '../../query/entry-request.ts';
import { dataWithIds, pathWithIds, type References } from './references.ts';
import type { Operation } from './operations.ts';

/** A route that writes entries of a type. */
export interface BatchRoute {
  readonly type: ContentType;
  /** The part of its id after the type: `create`. */
  readonly action: string;
}

/** `PUT /api/articles/{id}` → its route. */
export type BatchRoutes = ReadonlyMap<string, BatchRoute>;

export function batchRoutes({ types }: ContentTypes): BatchRoutes {
  const ofSchema = Object.values(types).filter(({ uid }) => !SUBJECTS.has(uid));
  return new Map(
    ofSchema.flatMap((type) => {
      const segment = type.kind === 'singleType' ? type.uid : type.pluralName;
      const writes = mountedRoutes({ ...type, segment }).filter(({ method }) => method !== 'GET');
      return writes.map(({ id, method, path }) => [
        `${method} ${path}`,
        { type, action: id.slice(type.uid.length + 1) },
      ]);
    }),
  );
}

export interface FoundRoute extends BatchRoute {
  /** The id in the path; empty if it has none. */
  readonly id: string;
}

/** Throws BadRequestError if no route of a content type writes at the path. */
export function routeOf(routes: BatchRoutes, { method, path }: Operation, references: References): FoundRoute {
  const whole = routes.get(`${method} ${path}`);
  if (whole) return { ...whole, id: '' };
  const [, api, segment, id = '', ...rest] = pathWithIds(path.replace(/\/$/u, ''), references).split('/');
  const exact = routes.get(`${method} /${[api, segment, id, ...rest].filter((part) => part !== '').join('/')}`);
  if (exact) return { ...exact, id: '' };
  const withId = id === '' ? undefined : routes.get(`${method} /${[api, segment, '{id}', ...rest].join('/')}`);
  if (withId) return { ...withId, id: decoded(id) };
  throw new BadRequestError(`A batch can't ${method} ${path}: it writes entries of content types`);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export interface CallResult {
  readonly status: number;
  readonly answer: EntryAnswer;
  /** Whether the answer is the entry itself, without an envelope. */
  readonly isBare: boolean;
}

function dataOf({ body }: Operation): unknown {
  const data: unknown = Object.hasOwn(body, 'data') ? body['data'] : undefined;
  if (typeof data === 'object' && data !== null) return data;
  throw new BadRequestError('Missing "data" payload in the request body');
}

/** What creates several entries of a route together; undefined if each is created by itself. */
export function togetherBy(calls: EntryServices, { type, action }: FoundRoute): CollectionService['createEach'] {
  return action === 'create' && type.kind !== 'singleType' ? calls.collection(type.uid).createEach : undefined;
}

/** The data of creates, with the ids of earlier entries. */
export function newData(
  types: ContentTypes,
  { type }: FoundRoute,
  operations: readonly Operation[],
  references: References,
): readonly unknown[] {
  return operations.map((operation) => dataWithIds(types, type.attributes, dataOf(operation), references));
}

/** The actions of routes that change which version of an entry is published. */
const PUBLICATION: ReadonlyMap<string, PublicationAction> = new Map([
  ['publish', 'publish'],
  ['unpublish', 'unpublish'],
  ['discardDraft', 'discard-draft'],
]);

/** Calls the route. Throws what it throws. */
export async function callRoute(
  calls: EntryServices,
  types: ContentTypes,
  {
    operation,
    route,
    references,
  }: { readonly operation: Operation; readonly route: FoundRoute; readonly references: References },
  request: EntryRequest,
): Promise<CallResult> {
  const { type, action, id } = route;
  const withIds = (data: unknown): unknown => dataWithIds(types, type.attributes, data, references);
  const key = entryKeyOf(id, isDocumentRequest(request));
  const done = (answer: EntryAnswer, status = 200): CallResult => ({ status, answer, isBare: false });
  const bare = (answer: EntryAnswer): CallResult => ({ status: 201, answer, isBare: true });
  const version = PUBLICATION.get(action);
  if (type.kind === 'singleType') {
    const single = calls.single(type.uid);
    if (version) return done(await single.act(version, request));
    if (action === 'delete') return done(await single.delete(request));
    if (action === 'localize') return bare(await single.createLocalization(withIds(operation.body), request));
    const { answer, created } = await single.save(withIds(dataOf(operation)), request);
    return done(answer, created ? 201 : 200);
  }
  const collection = calls.collection(type.uid);
  if (version) return done(await collection.act(key, version, request));
  switch (action) {
    case 'create':
      return done(await collection.create(withIds(dataOf(operation)), request), 201);
    case 'update':
      return done(await collection.update(key, withIds(dataOf(operation)), request));
    case 'localize':
      return bare(await collection.createLocalization(key, withIds(operation.body), request));
    case 'delete':
      return done(await collection.delete(key, request));
    default:
      throw new BadRequestError(`A batch can't ${action} an entry`);
  }
}
