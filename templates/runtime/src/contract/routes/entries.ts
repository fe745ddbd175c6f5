/** The routes of content types: five for collection types, three for single types, and another one for localized types. */
import type { FormatName } from '../api-settings.ts';
import { permissionName } from '../policy/permission-name.ts';
import type { RightName } from '../policy/rights.ts';
import { ok } from './answers.ts';
import { bodyRef } from './entry-schemas.ts';
import { schemaRef } from './json-schema.ts';
import type { Method, QueryParameter, Route, RouteAnswer, RouteBody } from './route.ts';

/** The properties of a content type that determine its routes. */
export interface RoutedType {
  readonly uid: string;
  readonly kind: 'collectionType' | 'singleType';
  /** The first segment below `/api/`. */
  readonly segment: string;
  readonly localized: boolean;
  readonly draftAndPublish: boolean;
  /** Whether its drafts can be published at a time. */
  readonly schedules?: true;
  /** For how many days deleted entries are kept. */
  readonly trash?: number;
  /** Set if its entries have a history. */
  readonly history?: object | true | undefined;
  /** The format whose routes are described; by default v4. */
  readonly format?: FormatName;
  /** The names of its media attributes. */
  readonly media: readonly string[];
  /** Names in openapi.json: the prefix of the type's schemas, and the ids of its operations. */
  readonly names: { readonly schema: string; readonly operations: Readonly<Record<RouteAction, string>> };
}

/** Placeholders for `RoutedType.names`, for uses where the names do not matter. */
export const UNNAMED: RoutedType['names'] = {
  schema: '',
  operations: {
    find: '',
    findOne: '',
    create: '',
    update: '',
    delete: '',
    localize: '',
    publish: '',
    unpublish: '',
    discardDraft: '',
    getSchedule: '',
    setSchedule: '',
    trash: '',
    restoreDeleted: '',
    history: '',
    historyVersion: '',
    restore: '',
  },
};

type EntryAction = 'find' | 'findOne' | 'create' | 'update' | 'delete';

/** What is done with the published version of an entry. */
type VersionAction = 'publish' | 'unpublish' | 'discardDraft';

/** When an entry is published or taken back. */
type ScheduleAction = 'getSchedule' | 'setSchedule';

/** What is done with deleted entries. */
type TrashAction = 'trash' | 'restoreDeleted';

/** What is done with the former versions of an entry. */
type HistoryAction = 'history' | 'historyVersion' | 'restore';

/** The operations that have a route. */
export type RouteAction = EntryAction | 'localize' | VersionAction | ScheduleAction | TrashAction | HistoryAction;

/** The part of a route that is the same for all collection types, or for all single types. */
interface Pattern {
  readonly action: RouteAction;
  readonly method: Method;
  /** Below the segment of the type. */
  readonly path: string;
  /** The action that requires a permission. */
  readonly permission: EntryAction | 'history';
  readonly summary: string;
  readonly probe: Route['probe'];
}

const LOCALIZE_SUMMARY = 'Add a locale to an entry; request and response have no envelope';

// prettier-ignore
const COLLECTION: readonly Pattern[] = [
  { action: 'find',     method: 'GET',    path: '',                    permission: 'find',    probe: 200, summary: 'List entries' },
  { action: 'create',   method: 'POST',   path: '',                    permission: 'create',  probe: 400, summary: 'Create an entry' },
  { action: 'findOne',  method: 'GET',    path: '/{id}',               permission: 'findOne', probe: 404, summary: 'Get an entry' },
  { action: 'update',   method: 'PUT',    path: '/{id}',               permission: 'update',  probe: 400, summary: 'Update an entry; omitted attributes stay unchanged' },
  { action: 'delete',   method: 'DELETE', path: '/{id}',               permission: 'delete',  probe: 404, summary: 'Delete an entry' },
  { action: 'localize', method: 'POST',   path: '/{id}/localizations', permission: 'create',  probe: 404, summary: LOCALIZE_SUMMARY },
];

// prettier-ignore
const SINGLE: readonly Pattern[] = [
  { action: 'find',     method: 'GET',    path: '',               permission: 'find',   probe: 404, summary: 'Get the entry' },
  { action: 'update',   method: 'PUT',    path: '',               permission: 'update', probe: 400, summary: 'Update or create the entry' },
  { action: 'delete',   method: 'DELETE', path: '',               permission: 'delete', probe: 404, summary: 'Delete the entry' },
  { action: 'localize', method: 'POST',   path: '/localizations', permission: 'update', probe: 404, summary: LOCALIZE_SUMMARY },
];

// prettier-ignore
const VERSIONS: readonly Pattern[] = [
  { action: 'publish',      method: 'POST', path: '/actions/publish',       permission: 'update', probe: 404, summary: 'Publish the draft of an entry' },
  { action: 'unpublish',    method: 'POST', path: '/actions/unpublish',     permission: 'update', probe: 404, summary: 'Take back what is published of an entry; its draft stays' },
  { action: 'discardDraft', method: 'POST', path: '/actions/discard-draft', permission: 'update', probe: 404, summary: 'Replace the draft of an entry by what is published' },
];

// prettier-ignore
const SCHEDULES: readonly Pattern[] = [
  { action: 'getSchedule', method: 'GET', path: '/schedule', permission: 'update', probe: 404, summary: 'Get when an entry is published or taken back' },
  { action: 'setSchedule', method: 'PUT', path: '/schedule', permission: 'update', probe: 404, summary: 'Set when an entry is published or taken back; null removes it' },
];

// prettier-ignore
const HISTORY: readonly Pattern[] = [
  { action: 'history',        method: 'GET',  path: '/history',                   permission: 'history', probe: 404, summary: 'List the versions of an entry, the last one first' },
  { action: 'historyVersion', method: 'GET',  path: '/history/{version}',         permission: 'history', probe: 404, summary: 'Get a version of an entry, or with `3..5` what differs between two of them' },
  { action: 'restore',        method: 'POST', path: '/history/{version}/restore', permission: 'update',  probe: 404, summary: 'Give an entry, or its draft, the content of a version' },
];

/** What also who has the permission `draft` may do, with drafts alone. */
const OF_DRAFTS: ReadonlySet<RouteAction> = new Set(['create', 'update', 'localize', 'discardDraft', 'restore']);

/** The patterns of a type of this kind. */
function patternsOf({
  kind,
  localized,
  draftAndPublish,
  history,
}: Pick<RoutedType, 'kind' | 'localized' | 'draftAndPublish' | 'history'>): readonly Pattern[] {
  const isSingle = kind === 'singleType';
  const own = isSingle ? SINGLE : COLLECTION;
  const all = localized ? own : own.filter(({ action }) => action !== 'localize');
  const below = [...(draftAndPublish ? VERSIONS : []), ...(history ? HISTORY : [])];
  return [...all, ...below.map((pattern) => ({ ...pattern, path: `${isSingle ? '' : '/{id}'}${pattern.path}` }))];
}

/** The patterns of routes that features have below those of a type. */
function furtherPatterns({
  kind,
  schedules,
  trash,
}: Pick<RoutedType, 'kind' | 'schedules' | 'trash'>): readonly Pattern[] {
  const own = [...(schedules ? SCHEDULES : []), ...(trash === undefined ? [] : TRASH)];
  return own.map((pattern) => {
    const isOfEntry = kind === 'collectionType' && pattern.action !== 'trash';
    return isOfEntry ? { ...pattern, path: `/{id}${pattern.path}` } : pattern;
  });
}

// prettier-ignore
const TRASH: readonly Pattern[] = [
  { action: 'trash',          method: 'GET',  path: '/trash',           permission: 'delete', probe: 200, summary: 'List deleted entries, the last ones first; `?before=57` continues after a page of 100' },
  { action: 'restoreDeleted', method: 'POST', path: '/actions/restore', permission: 'delete', probe: 404, summary: 'Restore a deleted entry, with its relations where they were' },
];

function isTrashAction(action: RouteAction): action is TrashAction {
  return TRASH.some((pattern) => pattern.action === action);
}

/** Whether the handler of a feature answers the route. */
function isFurtherAction(action: RouteAction): action is ScheduleAction | TrashAction {
  return isScheduleAction(action) || isTrashAction(action);
}

function isScheduleAction(action: RouteAction): action is ScheduleAction {
  return SCHEDULES.some((pattern) => pattern.action === action);
}

function isVersionAction(action: RouteAction): action is VersionAction {
  return VERSIONS.some((pattern) => pattern.action === action);
}

function isHistoryAction(action: RouteAction): action is HistoryAction {
  return HISTORY.some((pattern) => pattern.action === action);
}

/** The patterns in the type's format. In v5, locales are created by updates, and deleting a missing entry succeeds. */
function patternsIn(type: RoutedType): readonly Pattern[] {
  if (type.format !== 'v5') return [...patternsOf(type), ...furtherPatterns(type)];
  const all = patternsOf({ ...type, localized: false });
  return [...all, ...furtherPatterns(type)].map((pattern) =>
    pattern.action === 'delete' ? { ...pattern, probe: 204 } : pattern,
  );
}

/** The actions on entries of a type that can be permitted: reads first, those of drafts and of former versions last. */
export function entryActions({
  kind,
  draftAndPublish,
  history,
}: Pick<RoutedType, 'kind' | 'draftAndPublish' | 'history'>): readonly string[] {
  const patterns = patternsOf({ kind, localized: false, draftAndPublish: false });
  const isRead = ({ method }: Pattern): boolean => method === 'GET';
  const ordered = [...patterns.filter(isRead), ...patterns.filter((pattern) => !isRead(pattern))];
  const actions = ordered.map(({ permission }) => permission);
  return [...actions, ...(draftAndPublish ? ['preview', 'draft'] : []), ...(history ? ['history'] : [])];
}

const READS: readonly RightName[] = ['related'];
const WRITES: readonly RightName[] = ['targets', 'otherSides', 'formerOwners', 'namedFiles'];

function touches({ draftAndPublish, media }: RoutedType, action: Pattern['action']): readonly RightName[] {
  if (isVersionAction(action) || isFurtherAction(action) || action === 'history') return [];
  if (action === 'historyVersion') return READS;
  if (action === 'restore') return WRITES;
  if (action === 'delete') return ['referrers', 'cascaded'];
  if (action === 'find' || action === 'findOne') return draftAndPublish ? [...READS, 'drafts'] : READS;
  if (action !== 'localize') return media.length > 0 ? [...WRITES, 'newFiles'] : WRITES;
  return [...WRITES, 'sourceLocales', ...(draftAndPublish ? ['sourceDrafts' as const] : []), 'sharedAttributes'];
}

function stateQuery({ draftAndPublish, format }: RoutedType, action: Pattern['action']): readonly QueryParameter[] {
  if (!draftAndPublish || isVersionAction(action) || isHistoryAction(action)) return [];
  if (action === 'delete') return [];
  if (format === 'v5') return ['status'];
  return action === 'find' || action === 'findOne' ? ['publicationState'] : ['status'];
}

function query(type: RoutedType, action: Pattern['action']): readonly QueryParameter[] {
  const { kind, localized, format } = type;
  const locale = localized ? (['locale'] as const) : [];
  if (action === 'localize') return [];
  if (isScheduleAction(action)) return locale;
  if (isTrashAction(action)) return [];
  if (action === 'history') return ['pagination', ...locale];
  if (action === 'delete' && format === 'v5') return locale;
  const isList = action === 'find' && kind === 'collectionType';
  const isRead = action === 'find' || action === 'findOne';
  return [
    'fields',
    ...(isRead ? (['filters'] as const) : []),
    ...(isList ? (['sort', 'pagination', 'search'] as const) : []),
    'populate',
    ...locale,
    ...stateQuery(type, action),
    ...(action === 'restore' ? (['missing'] as const) : []),
    ...(isRead && type.history ? (['asOf'] as const) : []),
    ...(isRead && type.schedules ? (['release'] as const) : []),
  ];
}

function body({ media, format, names: { schema } }: RoutedType, action: Pattern['action']): RouteBody | undefined {
  const hasForm = media.length > 0 && format !== 'v5';
  switch (action) {
    case 'setSchedule':
      return { json: schemaRef('ScheduleRequest') };
    case 'localize':
      return { json: bodyRef(schema, 'LocalizationRequest') };
    case 'create':
      return { json: bodyRef(schema, 'CreateRequest'), ...(hasForm && { form: bodyRef(schema, 'CreateForm') }) };
    case 'update':
      return { json: bodyRef(schema, 'UpdateRequest'), ...(hasForm && { form: bodyRef(schema, 'UpdateForm') }) };
    default:
      return undefined;
  }
}

function answers(
  { kind, format, names: { schema } }: RoutedType,
  action: Pattern['action'],
): readonly [RouteAnswer, ...RouteAnswer[]] {
  const isSingle = kind === 'singleType';
  const one = bodyRef(schema, 'Response');
  const created: RouteAnswer = { status: 201, description: 'The new entry.', schema: one };
  if (isScheduleAction(action)) return ok(schemaRef('ScheduleResponse'));
  if (action === 'trash') return ok(schemaRef('TrashResponse'));
  if (action === 'localize') {
    const description = 'The entry in the new locale.';
    return [{ status: 201, description, schema: bodyRef(schema, 'LocalizationResponse') }];
  }
  if (action === 'history') {
    return [{ status: 200, description: 'One page of versions.', schema: schemaRef('HistoryResponse') }];
  }
  if (action === 'historyVersion') {
    const schema = { anyOf: [one, schemaRef('HistoryDifferences')] };
    return [{ status: 200, description: 'The entry as it was then, or the differences.', schema }];
  }
  if (action === 'find' && !isSingle) {
    return [{ status: 200, description: 'One page of entries.', schema: bodyRef(schema, 'ListResponse') }];
  }
  if (action === 'create') return [created];
  if (action === 'delete' && format === 'v5') {
    return [{ status: 204, description: 'The entry was deleted, or did not exist.' }];
  }
  const description = action === 'delete' ? 'The entry as it was.' : 'The entry.';
  const found: RouteAnswer = { status: 200, description, schema: one };
  return isSingle && action === 'update' && format !== 'v5' ? [found, created] : [found];
}

const CHANGES: ReadonlySet<RouteAction> = new Set(['update', 'delete', 'restore']);

function versionsOf(action: RouteAction): Pick<Route, 'versions'> {
  if (isFurtherAction(action) || action === 'history' || action === 'historyVersion') return {};
  if (action === 'find' || action === 'findOne') return { versions: 'reads' };
  return { versions: CHANGES.has(action) || isVersionAction(action) ? 'changes' : 'makes' };
}

/** The part of a route that is needed to mount it. */
export type MountedRoute = Pick<Route, 'id' | 'method' | 'path' | 'permission' | 'orPermission' | 'keyed'>;

function routeId({ uid }: Pick<RoutedType, 'uid'>, action: RouteAction): string {
  return `${uid}.${action}`;
}

/** The routes of a type, without their descriptions. */
export function mountedRoutes({
  uid,
  kind,
  segment,
  localized,
  draftAndPublish,
  history,
}: Pick<
  RoutedType,
  'uid' | 'kind' | 'segment' | 'localized' | 'draftAndPublish' | 'history'
>): readonly MountedRoute[] {
  return patternsOf({ kind, localized, draftAndPublish, history }).map(({ action, method, path, permission }) => ({
    id: routeId({ uid }, action),
    method,
    path: `/api/${segment}${path}`,
    permission: permissionName(uid, permission),
    ...(draftAndPublish && OF_DRAFTS.has(action) && { orPermission: permissionName(uid, 'draft') }),
  }));
}

/** A route of a feature below those of a type. */
export interface FurtherRoute extends MountedRoute {
  readonly action: RouteAction;
  /** The action on entries that permits it. */
  readonly permits: Pattern['permission'];
}

/** The routes that features have below those of a type. Their handlers are not part of its generated code. */
export function furtherRoutes(
  type: Pick<RoutedType, 'uid' | 'kind' | 'segment' | 'schedules' | 'trash'>,
): readonly FurtherRoute[] {
  return furtherPatterns(type).map(({ action, method, path, permission }) => ({
    id: routeId(type, action),
    action,
    method,
    path: `/api/${type.segment}${path}`,
    permits: permission,
    permission: permissionName(type.uid, permission),
  }));
}

/** The complete routes of a type. */
export function entryRoutes(type: RoutedType): readonly Route[] {
  const mounted = new Map<string, MountedRoute>(
    [...mountedRoutes(type), ...furtherRoutes(type)].map((route) => [route.id, route]),
  );
  return patternsIn(type).flatMap(({ action, summary, probe }) => {
    const route = mounted.get(routeId(type, action));
    if (!route) return [];
    return [
      {
        id: route.id,
        method: route.method,
        path: route.path,
        permission: route.permission,
        ...(route.orPermission !== undefined && { orPermission: route.orPermission }),
        operationId: type.names.operations[action],
        tag: type.uid,
        summary,
        probe,
        touches: touches(type, action),
        query: query(type, action),
        queriedType: type.uid,
        body: body(type, action),
        answers: answers(type, action),
        ...versionsOf(action),
        keyed: route.method !== 'GET' && !isFurtherAction(action),
        canBeMissing: type.kind === 'singleType' && action !== 'update',
      },
    ];
  });
}
