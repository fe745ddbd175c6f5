/** Users, as read and changed by callers with permission. Responses are flat, without `data` and `attributes`. */
import type { Executor } from '../../database/executor.ts';
import { sql } from '../../database/sql.ts';
import { bareAnswer, entryAnswer, type EntryAnswer } from '../../query/answer.ts';
import type { EntryQuery } from '../../query/entry-query.ts';
import type { EntryRequest } from '../../query/entry-request.ts';
import { requireAuthorityOver } from '../../access/user-authority.ts';
import { forEachOfMany } from '../../entries/create-many.ts';
import { runWrite } from '../../entries/run-write.ts';
import { planDeletes } from '../../entries/delete-entries.ts';
import { flatEntry } from '../../entries/documents/flat-answers.ts';
import { transformEntry, transformList } from '../../entries/hooks.ts';
import { requirePreconditions } from '../../entries/preconditions.ts';
import { type Reached, removeThrough, saveThrough } from '../../entries/door.ts';
import { findEntries, getEntry } from '../../entries/stored-entry.ts';
import type { CheckedQuery } from '../../query/checked-query.ts';
import type { ReadEntry } from '../../query/version-tag.ts';
import { VERSION_COLUMN } from '../../write/version.ts';
import { answeredPlan } from '../../entries/write-entry.ts';
import { listToJson } from '../../http/long-lists.ts';
import { isOwn } from '../../query/format.ts';
import { queryOf } from '../../query/query-of.ts';
import { NotFoundError, ValidationError } from '../../contract/errors.ts';
import type { Role } from '../../access/access.ts';
import { requireAuthority } from '../../contract/policy/rights.ts';
import { AUTHENTICATED } from '../../contract/policy/built-in-roles.ts';
import { hashPasswords } from '../../content/components/hash-passwords.ts';
import { isRelationChange } from '../../content/relations/relation-change.ts';
import { isRecord } from '../../content/validators/attributes.ts';
import { hashPassword } from '../../base/password.ts';
import {
  type Account,
  accountById,
  type AccountInput,
  normalizeEmail,
  planAccountChange,
  planNewAccount,
} from './accounts.ts';
import { customUserAttributes } from './bodies.ts';
import type { AuthContext } from './context.ts';
import { insertUsers } from './insert-users.ts';
import { withRowIds } from './user-documents.ts';
import { type HookedValues, withUserHooks } from './user-hooks.ts';
import { userValues } from './user-values.ts';
import { requireShortLists } from '../../entries/list-lengths.ts';
import type { Trust } from '../../content/relations/check-targets.ts';

export interface UsersService {
  /** Returns the response body, as JSON text. */
  find(request: EntryRequest): Promise<string>;
  count(request: EntryRequest): Promise<string>;
  findOne(id: number, request: EntryRequest): Promise<EntryAnswer>;
  create(body: unknown, request: EntryRequest): Promise<EntryAnswer>;
  /** Creates users in one transaction, all or none; resolves to their ids. */
  createMany(bodies: readonly unknown[], request: EntryRequest): Promise<readonly number[]>;
  update(id: number, body: unknown, request: EntryRequest): Promise<EntryAnswer>;
  /** Returns the user as it was before. */
  remove(id: number, request: EntryRequest): Promise<EntryAnswer>;
}

/** The role given in a body; undefined if there is none. Throws ValidationError if the role does not exist. */
export function roleOf({ access }: AuthContext, value: unknown): Role | undefined {
  if (!isRelationChange(value)) return undefined;
  const id = (value.kind === 'set' ? value.targets : value.connect).at(-1)?.id;
  const role = id === undefined ? undefined : access.role(id);
  if (!role) throw new ValidationError([{ path: ['role'], message: 'role must be an existing role' }]);
  return role;
}

/**
 * Converts validated values for storage. `defaultRole` applies if the body names no role. Throws ForbiddenError if the caller may not
 * grant the role.
 */
async function inputOf(
  context: AuthContext,
  { caller, client, defaultRole }: EntryRequest & { readonly defaultRole?: Role | undefined },
  { values: { role: value, password, email, provider: _local, ...values }, trustsRole }: HookedValues,
): Promise<AccountInput> {
  const { types, userType } = context;
  const role = roleOf(context, value) ?? defaultRole;
  if (!trustsRole) requireAuthority(caller, 'givenRoles', role?.permissions);
  return {
    ...(await hashPasswords(types, customUserAttributes(userType), values, client)),
    ...(typeof email === 'string' && { email: normalizeEmail(email) }),
    ...(typeof password === 'string' && { password: await hashPassword(password, { purpose: 'content', client }) }),
    ...(role && { roleId: role.id }),
  };
}

/** Further changes that these values cause: they end sessions and codes of anyone with the old password or access to the old mailbox. */
function consequences({ tokenGeneration, blocked, email }: Account, input: AccountInput): AccountInput {
  const values = input as Readonly<Record<string, unknown>>;
  const endsSessions = values['password'] !== undefined || (values['blocked'] === true && blocked !== true);
  const endsCodes = endsSessions || (values['email'] !== undefined && values['email'] !== email);
  return {
    ...(endsSessions && { tokenGeneration: tokenGeneration + 1, keptSession: null }),
    ...(endsCodes && { resetPasswordToken: null, resetPasswordExpiresAt: null, confirmationToken: null }),
  };
}

/** Locks the user's row until the transaction ends. Throws PreconditionFailedError if its version is not the expected one. */
async function lockAccount(tx: Executor, id: number, request: EntryRequest): Promise<void> {
  const { rowLock, id: quote } = tx.dialect;
  if (rowLock.text === '' && !request.expected) return;
  const row = await tx.get(sql`SELECT ${quote(VERSION_COLUMN)} AS version FROM users WHERE id = ${id}${rowLock}`);
  if (row) requirePreconditions({ version: Number(row['version']) }, request, { uid: 'user' });
}

async function getAccount(executor: Executor, id: number): Promise<Account> {
  const account = await accountById(executor, id);
  if (!account) throw new NotFoundError();
  return account;
}

/** Removes an unchanged user name from a body: a stored name may be older than the current rules and would fail validation. */
function withoutOwnName(body: unknown, account: Account | undefined): unknown {
  if (!isRecord(body) || account === undefined || body['username'] !== account.username) return body;
  const { username: _unchanged, ...rest } = body;
  return rest;
}

/** The part of the query that matters for counting: its filters. */
function countingQuery(query: EntryQuery): EntryQuery {
  const { filters, _q } = query.tree();
  return queryOf({ filters, _q });
}

function flatAnswer({ types, userType: type }: AuthContext, answer: EntryAnswer): EntryAnswer {
  return bareAnswer(flatEntry({ types, type }, answer.entry()), answer.version);
}

/** A user that is changed, with the values of the body. */
interface UserTarget extends Reached {
  readonly row: number;
  readonly values: Readonly<Record<string, unknown>>;
  /** What a rule has set. */
  readonly trusts: Trust | undefined;
}

/** A body, and how the user is answered. */
interface UserBody {
  readonly checked: CheckedQuery;
  readonly sent: unknown;
}

interface UserInput extends Pick<HookedValues, 'trusts'> {
  readonly checked: CheckedQuery;
  readonly input: AccountInput;
}

function writers(context: AuthContext): Pick<UsersService, 'create' | 'createMany' | 'update' | 'remove'> {
  const { database, reader, types, userType: type, users, tokens, access } = context;
  const { hooked } = context;

  async function read(body: unknown, request: EntryRequest): Promise<UserBody> {
    requireShortLists({ types, type }, body, request.caller);
    const checked = await reader.check(type, request);
    return { checked, sent: await withRowIds(context, body, request) };
  }
  const answerOf = async (entry: ReadEntry, request: EntryRequest): Promise<EntryAnswer> => {
    const answer = await transformEntry(hooked.hooks, entryAnswer(entry), request);
    return isOwn(request.format) ? answer : flatAnswer(context, answer);
  };

  function insert(request: EntryRequest, { checked, input, trusts }: UserInput): Promise<ReadEntry> {
    return runWrite(hooked, { call: request, written: { input, self: {} } }, async (tx, run) => {
      const hooks = run.hooks('afterCreate');
      const write = { tx, types, type, caller: request.caller, reach: run.reach, trusts };
      const planned = await planNewAccount(write, input, hooks.wanted ? undefined : checked.entry.returning);
      return answeredPlan({ ...planned, steps: [...planned.steps, ...hooks.after(planned.id)] }, checked.entry);
    });
  }

  function change(id: number, request: EntryRequest, { checked, input, trusts }: UserInput): Promise<ReadEntry> {
    const { caller } = request;
    const execution = { call: request, written: { input, self: { id } }, afterCommit: () => users.forget(id) };
    return runWrite(hooked, execution, async (tx, run) => {
      await lockAccount(tx, id, request);
      const account = await getAccount(tx, id);
      await requireAuthorityOver(tx, caller, [id]);
      const hooks = run.hooks('afterUpdate');
      const changes = { ...input, ...consequences(account, input) };
      const write = { tx, types, type, caller, reach: run.reach, trusts };
      const returning = hooks.wanted ? undefined : checked.entry.returning;
      const planned = await planAccountChange(write, { id, input: changes, returning });
      return answeredPlan(
        { ...planned, steps: [...hooks.before(id), ...planned.steps, ...hooks.after(id)] },
        checked.entry,
      );
    });
  }

  function remove(id: number, request: EntryRequest, checked: CheckedQuery): Promise<readonly ReadEntry[]> {
    const { caller } = request;
    const afterCommit = (): void => {
      users.forget(id);
      tokens.forget();
    };
    return runWrite(hooked, { call: request, afterCommit }, async (tx, run) => {
      // A foreign key with ON DELETE CASCADE deletes the API tokens of the user.
      const plan = await planDeletes(tx, { reader, types, type }, [id], { checked, caller, reach: run.reach });
      await requireAuthorityOver(tx, caller, [id]);
      await lockAccount(tx, id, request);
      const hooks = run.hooks('afterDelete');
      const steps = [...hooks.before(id), ...plan.steps, ...hooks.after(id)];
      return { ...plan, steps };
    });
  }

  async function createBy<Written>(
    given: unknown,
    request: EntryRequest,
    write: (input: UserInput) => Promise<Written>,
  ): Promise<Written> {
    const { entry } = await saveThrough<UserBody, Reached, UserInput, Written>(hooked, request, {
      read: () => read(given, request),
      resolve: () => Promise.resolve({ row: undefined }),
      async prepare(_, { checked, sent: body }) {
        const { values, trusts: ruled } = await userValues(context, body, {
          caller: request.caller,
          operation: 'create',
        });
        const hookedValues = await withUserHooks(context, ['beforeCreate'], { ...request, values });
        const defaultRole = access.roleOfType(AUTHENTICATED);
        const input = { confirmed: true, ...(await inputOf(context, { ...request, defaultRole }, hookedValues)) };
        const trusts = hookedValues.trusts ?? ruled;
        return { checked, input, ...(trusts && { trusts }) };
      },
      write: (_, input) => write(input),
    });
    return entry;
  }

  return {
    create: async (given, request) =>
      answerOf(await createBy(given, request, (input) => insert(request, input)), request),
    async createMany(all, request) {
      const inputs = await forEachOfMany(all, (given) => createBy(given, request, (input) => Promise.resolve(input)));
      return insertUsers(context, request, inputs);
    },
    async update(id, given, request) {
      const { entry } = await saveThrough<UserBody, UserTarget, UserInput>(hooked, request, {
        read: () => read(given, request),
        async resolve(body) {
          const account = await accountById(database, id);
          const sent = withoutOwnName(body.sent, account);
          const { values, trusts } = await userValues(context, sent, { caller: request.caller, operation: 'update' });
          if (!account) throw new NotFoundError();
          const state = request.expected && { now: await getEntry(database, type, id) };
          return { row: id, values, trusts, ...(state && { state }) };
        },
        action: () => 'update',
        // Before hashing a password, which is expensive.
        authorize: () => requireAuthorityOver(database, request.caller, [id]),
        async prepare({ values, trusts: ruled }, { checked }) {
          const hookedValues = await withUserHooks(context, ['beforeUpdate'], { ...request, id, values });
          const input = await inputOf(context, request, hookedValues);
          const trusts = hookedValues.trusts ?? ruled;
          return { checked, input, ...(trusts && { trusts }) };
        },
        write: (_, input) => change(id, request, input),
      });
      return answerOf(entry, request);
    },
    async remove(id, request) {
      const [entry] = await removeThrough<CheckedQuery, ReadEntry>(hooked, request, {
        read: () => reader.check(type, request),
        find: () => findEntries(database, type, sql`t.id = ${id}`),
        isSilent: false,
        authorize: (ids) => requireAuthorityOver(database, request.caller, ids),
        remove: async (ids, checked) => (await Promise.all(ids.map((each) => remove(each, request, checked)))).flat(),
      });
      if (!entry) throw new NotFoundError();
      return answerOf(entry, request);
    },
  };
}

export function usersService(context: AuthContext): UsersService {
  const {
    reader,
    types,
    userType: type,
    hooked: { hooks },
  } = context;
  return {
    async find(request) {
      const answer = await transformList(hooks, await reader.flatList(type, request), request);
      return listToJson(answer, (entry) => flatEntry({ types, type }, entry), request.client);
    },
    async count(request) {
      return String(await reader.count(type, { ...request, query: countingQuery(request.query) }));
    },
    async findOne(id, request) {
      const answer = await reader.one(type, request, id);
      if (answer === undefined) throw new NotFoundError();
      return flatAnswer(context, await transformEntry(hooks, answer, request));
    },
    ...writers(context),
  };
}
