/** Runs the fields of Query and Mutation that read and write entries of the schema. */
import type { FieldNode } from 'graphql';
import type { Context } from 'koa';
import type { ContentType } from '../../contract/content-type.ts';
import type { Caller } from '../../contract/policy/caller.ts';
import { serverCaller } from '../../contract/policy/server-caller.ts';
import { NotFoundError } from '../../contract/errors.ts';
import type { RootMeaning } from '../../contract/graphql/model.ts';
import type { EntryServices } from '../../entries/create-services.ts';
import { clientOf } from '../../http/client.ts';
import { preconditionsOf } from '../../http/conditions.ts';
import { callerOf } from '../../http/request.ts';
import * as state from '../../http/state.ts';
import { canBeDocumentId, type EntryKey, isEntryId } from '../../query/entry-id.ts';
import type { EntryQuery } from '../../query/entry-query.ts';
import type { EntryRequest } from '../../query/entry-request.ts';
import { V4_SPARSE, V5 } from '../../query/format.ts';
import { queryOf } from '../../query/query-of.ts';
import { ownValue } from '../../query/query-value.ts';
import type { Reader } from '../../query/reader.ts';
import { isObject } from '../../content/relations/entry-ref.ts';
import { dataOf } from './data-input.ts';
import { type Arguments, listOptions } from './list-options.ts';
import type { Plan, PlannedField, PlanOf } from './plans.ts';
import { argumentsOf, type PageSource, type SelectionScope } from './selection.ts';
import { type ObjectShape, type Path, type Read, shapeList, shapeObject, type Shaping } from './shape.ts';

/** A field of Query or Mutation in a document. */
export interface RootField extends PlannedField {
  readonly node: FieldNode;
  /** `Query` or `Mutation`. */
  readonly parent: string;
}

/** A request for a document. */
export interface RunScope extends SelectionScope {
  readonly caller: Caller;
  readonly ctx: Context;
  readonly planOf: PlanOf;
  /** What the routes do, with their permissions, policies and actions. */
  readonly services: EntryServices;
  readonly reader: Reader;
}

type Meaning<Is extends RootMeaning['is']> = Extract<RootMeaning, { readonly is: Is }>;

function typeOf({ server }: RunScope, uid: string): ContentType {
  const type = server.types.types[uid];
  if (!type) throw new Error(`this server has no content type ${uid}`);
  return type;
}

/** The arguments that select drafts and locales, which are parameters of the same names. */
const SHARED = {
  v4: ['locale', 'publicationState'],
  v5: ['locale', 'status', 'hasPublishedVersion', 'publicationFilter'],
} as const;

/** The parameters that select drafts and locales. */
export function sharedParameters(args: Arguments, { server }: SelectionScope): Readonly<Record<string, unknown>> {
  const parameters: Record<string, unknown> = {};
  for (const name of SHARED[server.format]) {
    const value = args[name];
    if (typeof value === 'string' || typeof value === 'boolean') parameters[name] = value;
  }
  return parameters;
}

/** Whether the locale is none of the server: no entry has it. */
function isUnknownLocale({ locale }: Arguments, { localized }: ContentType, { server }: RunScope): boolean {
  const isOne = typeof locale === 'string' && locale !== '*' && locale !== 'all';
  return localized && isOne && !server.types.locales.includes(locale);
}

function requestOf(scope: RunScope, query: EntryQuery, changes = false): EntryRequest {
  const { ctx, server } = scope;
  return {
    caller: callerOf(ctx),
    requestId: state.requestId.get(ctx),
    query,
    format: server.format === 'v5' ? V5 : V4_SPARSE,
    client: changes ? clientOf(ctx) : clientOf(ctx, state.readPoint.get(ctx)),
    ...(changes && { key: state.requestKey.get(ctx), expected: preconditionsOf(ctx) }),
  };
}

/** The key of an entry; one that no entry has, if it can't be a key. */
function keyOf(args: Arguments, { server }: RunScope): EntryKey {
  if (server.format === 'v5') {
    const id = args['documentId'];
    return { documentId: typeof id === 'string' && canBeDocumentId(id) ? id : '' };
  }
  const id = typeof args['id'] === 'string' && /^\d{1,15}$/u.test(args['id']) ? Number(args['id']) : 0;
  return isEntryId(id) ? id : 0;
}

async function orNothing<T>(run: Promise<T>): Promise<T | undefined> {
  try {
    return await run;
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

/** How an answer is shaped. */
export type Shape = (path: Path, shaping: Shaping) => unknown;

function one(shape: ObjectShape, entry: unknown, isWrapped: boolean): Shape {
  return (path, shaping) =>
    entry === undefined || entry === null
      ? isWrapped
        ? shapeObject(shape, null, path, shaping)
        : null
      : shapeObject(shape, entry, path, shaping);
}

const isWrapped = ({ server }: RunScope): boolean => server.format === 'v4';

/** Reads one entry; undefined if there is none. */
async function readEntry(scope: RunScope, { uid, read }: Meaning<'read'>, args: Arguments, request: EntryRequest) {
  const found = await orNothing(
    read === 'single'
      ? scope.services.single(uid).find(request)
      : scope.services.collection(uid).findOne(keyOf(args, scope), request),
  );
  // One entry has one locale.
  const isNone = args['locale'] === '*' || args['locale'] === 'all';
  return isNone || isUnknownLocale(args, typeOf(scope, uid), scope) ? undefined : found?.entry();
}

/** Matches nothing. */
const NOTHING = { id: { $null: true } };

export async function readEntries(scope: RunScope, field: RootField, means: Meaning<'read'>): Promise<Shape> {
  const { uid, read } = means;
  const args = argumentsOf(scope, field.parent, field.node);
  const isOne = read === 'one' || read === 'single';
  const plan = scope.planOf({ ...scope, reads: isOne ? 'one' : 'many' }, field);
  const { shape } = plan;
  const isNowhere = isUnknownLocale(args, typeOf(scope, uid), scope);
  const shared = sharedParameters(isNowhere ? { ...args, locale: undefined } : args, scope);
  if (isOne) {
    const { locale, ...others } = shared;
    const ofOne = locale === '*' || locale === 'all' ? others : shared;
    const entry = await readEntry(scope, means, args, requestOf(scope, plan.query(ofOne)));
    return one(shape, entry, isWrapped(scope));
  }
  const { pagination, ...options } = listOptions(args, `${scope.server.nameOf.get(uid) ?? ''}FiltersInput`, scope);
  const counts = read === 'connection' && plan.isCounted;
  const page = { ...pagination, ...(!counts && { withCount: false }) };
  const filters = isNowhere ? { filters: NOTHING } : {};
  const parameters = { ...options, ...filters, pagination: page, ...shared };
  const answer = await scope.services.collection(uid).find(requestOf(scope, plan.query(parameters)));
  const entries = answer.entries();
  const source: PageSource = { entries, pagination: answer.pagination, asked: args['pagination'] };
  if (read === 'connection') return (path, shaping) => shapeObject(shape, source, path, shaping);
  const element: Read = (entry, path, shaping) => shapeObject(shape, entry, path, shaping);
  return (path, shaping) => shapeList(element, false, entries, { path, shaping });
}

/** In the v4 format, entries are drafts unless the data says when they are published. */
function createdData(data: Record<string, unknown>, { draftAndPublish }: ContentType, { server }: RunScope) {
  const isDraft = server.format === 'v4' && draftAndPublish && !Object.hasOwn(data, 'publishedAt');
  return isDraft ? { ...data, publishedAt: null } : data;
}

/** The data of a single type: its first write makes a draft, as `createdData` does. */
async function savedData(scope: RunScope, type: ContentType, data: Record<string, unknown>) {
  const created = createdData(data, type, scope);
  if (created === data) return data;
  const caller = serverCaller(scope.server.types);
  const query = queryOf({ fields: ['id'], publicationState: 'preview' });
  return (await scope.reader.single(type, { caller, query })) ? data : created;
}

type Write = Meaning<'write'>['write'];

async function writeSingle(scope: RunScope, type: ContentType, writing: Writing, write: Write): Promise<unknown> {
  const entry = scope.services.single(type.uid);
  const { data, request, args } = writing;
  if (write === 'delete') return deleteSingle(scope, type, request);
  if (write === 'localize') {
    const body = { ...data, locale: args['locale'] };
    return (await entry.createLocalization(body, withoutLocale(scope, writing.plan))).entry();
  }
  return (await entry.save(await savedData(scope, type, data), request)).answer.entry();
}

async function writeCollection(scope: RunScope, type: ContentType, writing: Writing, write: Write): Promise<unknown> {
  const entries = scope.services.collection(type.uid);
  const { data, request, args, plan } = writing;
  const key = keyOf(args, scope);
  switch (write) {
    case 'create':
      return (await entries.create(createdData(data, type, scope), request)).entry();
    case 'update':
      return (await orNothing(entries.update(key, data, request)))?.entry();
    case 'delete':
      return deleted(scope, (await orNothing(entries.delete(key, request)))?.entry(), args);
    case 'localize': {
      const body = { ...data, locale: args['locale'] };
      return (await entries.createLocalization(key, body, withoutLocale(scope, plan))).entry();
    }
  }
}

/** A mutation in a document. */
interface Writing {
  readonly args: Arguments;
  readonly data: Record<string, unknown>;
  readonly plan: Plan;
  readonly request: EntryRequest;
}

export async function writeEntry(scope: RunScope, field: RootField, means: Meaning<'write'>): Promise<Shape> {
  const type = typeOf(scope, means.uid);
  const args = argumentsOf(scope, field.parent, field.node);
  const plan = scope.planOf({ ...scope, reads: 'written' }, field);
  const input = scope.server.inputs.get(`${scope.server.nameOf.get(type.uid) ?? ''}Input`);
  const data = isObject(args['data']) && input ? dataOf(args['data'], input, scope.server) : {};
  const request = requestOf(scope, plan.query(sharedParameters(args, scope)), true);
  const write = type.kind === 'singleType' ? writeSingle : writeCollection;
  return one(plan.shape, await write(scope, type, { args, data, plan, request }, means.write), isWrapped(scope));
}

/** The request of a localization, whose locale is part of its body. */
function withoutLocale(scope: RunScope, plan: Plan): EntryRequest {
  return requestOf(scope, plan.query({}));
}

/** Deletes the entry of a single type. In the v5 format, nothing but its document id is left of it. */
async function deleteSingle(scope: RunScope, type: ContentType, request: EntryRequest): Promise<unknown> {
  const entry = scope.services.single(type.uid);
  if (scope.server.format === 'v4') return (await entry.delete(request)).entry();
  const anyState = { ...request, query: queryOf({ fields: ['id'], status: 'draft', ...localeOf(request) }) };
  const caller = serverCaller(scope.server.types);
  const found = await scope.reader.single(type, { ...anyState, caller, isKnown: undefined });
  if (!found) throw new NotFoundError();
  await entry.delete(request);
  return found.entry();
}

function localeOf({ query }: EntryRequest): Readonly<Record<string, unknown>> {
  const locale = ownValue(query.tree(), 'locale');
  return locale === undefined || locale === '*' ? {} : { locale };
}

/** What the answer of a deletion shows: in the v5 format only the id that was given. */
function deleted({ server }: RunScope, removed: unknown, args: Arguments): unknown {
  if (server.format === 'v4') return removed;
  return { documentId: args['documentId'] ?? (isObject(removed) ? removed['documentId'] : undefined) };
}
