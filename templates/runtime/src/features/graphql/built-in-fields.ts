/** Runs the fields of Query and Mutation for accounts, users, files and locales: by the routes of the REST API. */
import { ForbiddenError, HttpError, NotFoundError } from '../../contract/errors.ts';
import type { Caller } from '../../contract/policy/caller.ts';
import { permissionName } from '../../contract/policy/permission-name.ts';
import type { BuiltIn } from '../../contract/graphql/model.ts';
import { type CallableRoute, callRoute, type InnerRequest } from '../../http/inner-request.ts';
import { callContextOf, callerOf } from '../../http/request.ts';
import { flatFormat } from '../../query/format.ts';
import type { ReadKind } from '../../query/entry-query.ts';
import { queryOf } from '../../query/query-of.ts';
import { isObject } from '../../content/relations/entry-ref.ts';
import { dataOf } from './data-input.ts';
import type { RootField, RunScope, Shape } from './entry-fields.ts';
import { filtersOf } from './filters.ts';
import { matches } from './locale-filters.ts';
import { type Arguments, listOptions, paginationOf } from './list-options.ts';
import type { Plan } from './plans.ts';
import { argumentsOf, type PageSource } from './selection.ts';
import { asText, type ObjectShape, type Read, shapeList, shapeObject } from './shape.ts';
import { takeUploaded } from './uploaded-files.ts';

/** What these fields need besides the document. */
export interface BuiltInScope extends RunScope {
  route(id: string): Promise<CallableRoute | undefined>;
}

interface Selected {
  readonly args: Arguments;
  readonly plan: Plan;
  readonly shape: ObjectShape;
}

async function call({ ctx, route }: BuiltInScope, id: string, inner: InnerRequest): Promise<unknown> {
  const found = await route(id);
  if (!found) throw new NotFoundError();
  const { role, permissions } = callerOf(ctx);
  if (found.permission !== undefined && !permissions.has(found.permission)) {
    throw new ForbiddenError({ reason: `${role} lacks ${found.permission}` });
  }
  return callRoute(ctx, found, inner);
}

function select(scope: BuiltInScope, field: RootField, reads?: ReadKind): Selected {
  const args = argumentsOf(scope, field.parent, field.node);
  const plan = scope.planOf({ ...scope, reads }, field);
  return { args, plan, shape: plan.shape };
}

function oneShape(shape: ObjectShape, value: unknown): Shape {
  return (path, shaping) => (isObject(value) ? shapeObject(shape, value, path, shaping) : null);
}

function listShape(shape: ObjectShape, values: readonly unknown[]): Shape {
  const element: Read = (value, path, shaping) => shapeObject(shape, value, path, shaping);
  return (path, shaping) => shapeList(element, false, values, { path, shaping });
}

async function orNothing(run: Promise<unknown>): Promise<unknown> {
  try {
    return await run;
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}

/** The id in the path of a route. */
function idIn(args: Arguments): Readonly<Record<string, string>> {
  return { id: asText(args['documentId'] ?? args['id'] ?? '0') };
}

/** One row of a built-in type. */
async function readOne(scope: BuiltInScope, field: RootField, route: string): Promise<Shape> {
  const { args, plan, shape } = select(scope, field, 'one');
  const query = plan.query({});
  const found = await orNothing(call(scope, route, { params: idIn(args), query }));
  if (scope.server.format === 'v4') return (path, shaping) => shapeObject(shape, found, path, shaping);
  return oneShape(shape, found);
}

/** Rows of a built-in type: `uid`. */
async function readMany(scope: BuiltInScope, field: RootField, uid: 'user' | 'file', isPage: boolean): Promise<Shape> {
  const { args, plan, shape } = select(scope, field, 'many');
  const filters = `${scope.server.nameOf.get(uid) ?? ''}FiltersInput`;
  const options = listOptions(args, filters, scope);
  const query = plan.query(options);
  const found = await call(scope, uid === 'user' ? 'listUsers' : 'listFiles', { query });
  const entries = Array.isArray(found) ? found : [];
  if (!isPage) return listShape(shape, entries);
  const type = scope.server.types.types[uid];
  const counts = plan.isCounted && type !== undefined;
  const total = counts
    ? await scope.reader.count(type, {
        ...callContextOf(scope.ctx),
        query: queryOf(options.filters ? { filters: options.filters } : {}),
        format: flatFormat(type),
      })
    : 0;
  const source: PageSource = { entries, pagination: { ...options.pagination, total }, asked: args['pagination'] };
  return (path, shaping) => shapeObject(shape, source, path, shaping);
}

/** The locales of the server. */
async function readLocales(scope: BuiltInScope, field: RootField, how: 'one' | 'many' | 'page'): Promise<Shape> {
  const { args, shape } = select(scope, field);
  const found = await call(scope, 'listLocales', {});
  const all = (Array.isArray(found) ? found : []).filter(isObject);
  if (how === 'one') {
    const { id } = idIn(args);
    const key = scope.server.format === 'v4' ? 'id' : 'documentId';
    const locale = all.find((one) => asText(one[key]) === id) ?? null;
    if (scope.server.format === 'v4') return (path, shaping) => shapeObject(shape, locale, path, shaping);
    return oneShape(shape, locale);
  }
  const filters = filtersOf(args['filters'], 'I18NLocaleFiltersInput', scope.server);
  const matching = filters ? all.filter((locale) => matches(locale, filters)) : all;
  const page = paginationOf(args['pagination'], scope);
  const size = page['limit'] ?? page['pageSize'] ?? matching.length;
  const start = page['start'] ?? ((page['page'] ?? 1) - 1) * size;
  const entries = matching.slice(start, start + size);
  if (how === 'many') return listShape(shape, entries);
  const pagination = { ...page, total: matching.length };
  const source: PageSource = { entries, pagination, asked: args['pagination'] };
  return (path, shaping) => shapeObject(shape, source, path, shaping);
}

const knownWithRoles = new WeakMap<ReadonlySet<string>, ReadonlySet<string>>();

/** The permissions of the caller, and that to see roles. */
function withRoles({ permissions }: Caller): ReadonlySet<string> {
  const known = knownWithRoles.get(permissions) ?? new Set([...permissions, permissionName('user-role', 'find')]);
  knownWithRoles.set(permissions, known);
  return known;
}

/** The account of the caller: its role is shown as the plugin shows it, whatever the caller may read. */
async function readOwn(scope: BuiltInScope, field: RootField): Promise<Shape> {
  const { shape } = select(scope, field);
  const query = queryOf({ populate: { role: true } });
  const as = callerOf(scope.ctx);
  return oneShape(shape, await call(scope, 'getOwnUser', { query, as: { ...as, permissions: withRoles(as) } }));
}

/** A route that answers a session or a plain object. */
async function account(scope: BuiltInScope, field: RootField, route: string, body: (args: Arguments) => object) {
  const { args, shape } = select(scope, field);
  return oneShape(shape, await call(scope, route, { params: idIn(args), body: body(args) }));
}

async function confirm(scope: BuiltInScope, field: RootField): Promise<Shape> {
  const { args, shape } = select(scope, field);
  const confirmation = asText(args['confirmation']);
  const answer = await call(scope, 'emailConfirmation', { parameters: { confirmation } });
  return oneShape(shape, isObject(answer) && isObject(answer['user']) ? answer : null);
}

async function writeUser(scope: BuiltInScope, field: RootField, route: 'createUser' | 'updateUser' | 'deleteUser') {
  const { args, plan, shape } = select(scope, field);
  const input = scope.server.inputs.get('UsersPermissionsUserInput');
  const data = isObject(args['data']) && input ? dataOf(args['data'], input, scope.server) : {};
  const query = plan.query({});
  const user = await call(scope, route, { params: idIn(args), query, body: data });
  const shaped: Shape = (path, shaping) => shapeObject(shape, user, path, shaping);
  return shaped;
}

async function changeFile(scope: BuiltInScope, field: RootField): Promise<Shape> {
  const { args, shape } = select(scope, field);
  const fileInfo = isObject(args['info']) ? args['info'] : {};
  const file = await call(scope, 'uploadFiles', { parameters: idIn(args), body: { fileInfo } });
  return (path, shaping) => shapeObject(shape, file, path, shaping);
}

/** The fields of a form that attaches files to an entry. */
function attachment(args: Arguments): { readonly name: string; readonly value: string }[] {
  return ['ref', 'refId', 'field'].flatMap((name) => {
    const value = args[name];
    return value === undefined || value === null ? [] : [{ name, value: asText(value) }];
  });
}

async function uploadFile(scope: BuiltInScope, field: RootField): Promise<Shape> {
  const { args, shape } = select(scope, field);
  const { info } = args;
  const file = takeUploaded(args['file']);
  const fields = [...attachment(args), ...(isObject(info) ? [{ name: 'fileInfo', value: JSON.stringify(info) }] : [])];
  const [stored] = (await call(scope, 'uploadFiles', {
    form: { fields, files: file ? [{ ...file, field: 'files' }] : [] },
  })) as readonly unknown[];
  return (path, shaping) => shapeObject(shape, stored, path, shaping);
}

async function uploadFiles(scope: BuiltInScope, field: RootField): Promise<Shape> {
  const { args, shape } = select(scope, field);
  const files = [args['files']].flat().flatMap((file) => takeUploaded(file) ?? []);
  const stored = await call(scope, 'uploadFiles', {
    form: { fields: attachment(args), files: files.map((file) => ({ ...file, field: 'files' })) },
  });
  return listShape(shape, stored as readonly unknown[]);
}

async function deleteFile(scope: BuiltInScope, field: RootField): Promise<Shape> {
  const { args, shape } = select(scope, field);
  const file = await orNothing(call(scope, 'deleteFile', { params: idIn(args) }));
  if (file === null) return () => null;
  return (path, shaping) => shapeObject(shape, file, path, shaping);
}

type Run = (scope: BuiltInScope, field: RootField) => Promise<Shape>;

function picked(...names: readonly string[]): (args: Arguments) => object {
  return (args) => Object.fromEntries(names.map((name) => [name, args[name]]));
}

/** Only the server's own accounts sign in by GraphQL. */
function inputOf(args: Arguments): object {
  const { provider = 'local', ...input } = isObject(args['input']) ? args['input'] : {};
  if (provider !== 'local') throw new HttpError(400, 'ApplicationError', 'This provider is disabled');
  return input;
}

/** Roles, of which only `type` is given by the server. */
function roleOf(args: Arguments): object {
  const { type: _type, ...data } = isObject(args['data']) ? args['data'] : {};
  return data;
}

const RUNS: Readonly<Record<BuiltIn, Run>> = {
  me: readOwn,
  login: (scope, field) => account(scope, field, 'signIn', inputOf),
  register: (scope, field) => account(scope, field, 'register', inputOf),
  forgotPassword: (scope, field) => account(scope, field, 'forgotPassword', picked('email')),
  resetPassword: (scope, field) =>
    account(scope, field, 'resetPassword', picked('code', 'password', 'passwordConfirmation')),
  changePassword: (scope, field) =>
    account(scope, field, 'changePassword', picked('currentPassword', 'password', 'passwordConfirmation')),
  emailConfirmation: confirm,
  user: (scope, field) => readOne(scope, field, 'getUser'),
  users: (scope, field) => readMany(scope, field, 'user', false),
  usersConnection: (scope, field) => readMany(scope, field, 'user', true),
  createUser: (scope, field) => writeUser(scope, field, 'createUser'),
  updateUser: (scope, field) => writeUser(scope, field, 'updateUser'),
  deleteUser: (scope, field) => writeUser(scope, field, 'deleteUser'),
  createRole: (scope, field) => account(scope, field, 'createRole', roleOf),
  updateRole: (scope, field) => account(scope, field, 'updateRole', roleOf),
  deleteRole: (scope, field) => account(scope, field, 'deleteRole', () => ({})),
  file: (scope, field) => readOne(scope, field, 'getFile'),
  files: (scope, field) => readMany(scope, field, 'file', false),
  filesConnection: (scope, field) => readMany(scope, field, 'file', true),
  updateFile: changeFile,
  uploadFile,
  uploadFiles,
  deleteFile,
  locale: (scope, field) => readLocales(scope, field, 'one'),
  locales: (scope, field) => readLocales(scope, field, 'many'),
  localesConnection: (scope, field) => readLocales(scope, field, 'page'),
};

export function runBuiltIn(scope: BuiltInScope, field: RootField, name: BuiltIn): Promise<Shape> {
  return RUNS[name](scope, field);
}
