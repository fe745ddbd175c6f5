/** Creates the entry services of a server, and what its own code works with: entries, hooks and their contexts. */
import type { ToldUpdates } from '../../write/told-updates.ts';
import type { Logger } from 'pino';
import type { Mailer } from '../../base/mailer.ts';
import type { ContentType } from '../../contract/content-type.ts';
import { SUBJECTS } from '../../contract/policy/permission-name.ts';
import { serverCaller } from '../../contract/policy/server-caller.ts';
import { createValidators, type ValidatorsOf } from '../../content/validators/entry.ts';
import type { Database } from '../../database/database.ts';
import type { Transaction } from '../../database/write-plan.ts';
import { narrowedReader } from '../../query/narrowing.ts';
import type { Reader } from '../../query/reader.ts';
import { bindHooks } from '../bind-hooks.ts';
import { createEntryServices, type EntryDefinition, type EntryServices } from '../create-services.ts';
import type { AfterCommit, HookedType, InRelease, ProvideService } from '../context.ts';
import { hookedTypes } from '../hooked-types.ts';
import type { ExtensionContext, TransactionContext } from '../extension-context.ts';
import { withEveryTypeHooks } from '../every-type-hooks.ts';
import type { TypeHooks, WriteScope } from '../hooks.ts';
import { type OwnRoles, readOnlyRoles } from '../own-roles.ts';
import type { OwnSessions } from '../own-sessions.ts';
import { narrowBy } from '../narrow-reads.ts';
import { narrowByRules } from '../rules/read-rules.ts';
import { createRuleValues, type RuleValues } from '../rules/rule-values.ts';
import type { AnyEntries } from './any-entries.ts';
import { createEntries } from './create-entries.ts';
import { LazyContext, LazyTransactionContext } from './lazy-context.ts';

/** The built-in types that own code has entries of. */
const PROVIDED: ReadonlySet<string> = new Set(['user', 'file']);

/** The name of the hooks of all types. */
const EVERY_TYPE = '*';

const NO_JOBS: AnyContext['jobs'] = {};

type HooksByType = Readonly<Record<string, TypeHooks | undefined>>;

/** The context without a project's types. */
export type AnyContext = ExtensionContext<AnyEntries>;

/** Creates a context; `requestId` is undefined outside of requests. */
type ContextOf = (requestId: string | undefined) => AnyContext;

interface EntryOptions {
  readonly database: Database;
  /** Creates a reader on a database, or on a transaction. */
  readonly readerIn: (database: Database) => Reader;
  readonly definition: EntryDefinition;
  readonly hooks: HooksByType;
  readonly mailer: Pick<Mailer, 'send'>;
  readonly sessions: OwnSessions;
  readonly roles: OwnRoles;
  readonly logger: Logger;
  /** The project's jobs, as they are added at a place; undefined if there are none. */
  readonly jobs?: ((place: Pick<Place, 'database' | 'afterCommit'>) => AnyContext['jobs']) | undefined;
  /** See `HookedTypes`. */
  readonly inRelease?: InRelease | undefined;
  /** See `HookedTypes`. */
  readonly tellsUpdates?: ToldUpdates | undefined;
}

export interface OpenedEntries {
  readonly services: EntryServices;
  readonly reader: Reader;
  readonly contextOf: ContextOf;
  /** A type with its hooks, bound to their contexts. */
  hooked(type: ContentType): HookedType;
  /** Runs `work` in one transaction, with services whose reads and writes are part of it. */
  transact<T>(work: (inside: OpenedEntries, database: Database & Transaction) => Promise<T>): Promise<T>;
  /** Adds the entries of a built-in type. */
  provide(uid: string, service: ProvideService): void;
}

/** The database or transaction in which entries are read and written. */
interface Place {
  readonly database: Database;
  /** Runs work after the commit. */
  readonly afterCommit: AfterCommit;
  /** Creates contexts outside of this transaction; undefined if this is not a transaction. */
  readonly outside?: ContextOf;
}

/** What all places have in common. */
interface OpenOptions extends EntryOptions {
  readonly validatorsOf: ValidatorsOf;
  /** The services of built-in types. Features add theirs when they start. */
  readonly provided: Map<string, ProvideService>;
  /** Undefined if the schema has no rules. */
  readonly ruleValues: RuleValues | undefined;
}

/** A database that runs everything in a transaction: its writes are part of it, and its reads see these writes. */
function inTransaction(database: Database, tx: Transaction): Database & Transaction {
  return {
    ...database,
    ...tx,
    transaction: (work) => work(tx),
    readTransaction: (_, work) => work(tx),
    snapshot: (work) => work(tx),
    longTransaction: (work) => work(tx),
  };
}

/** Runs `work` in one transaction and, after the commit, what it deferred. */
async function inOneTransaction<T>(
  { database, afterCommit }: Place,
  work: (scope: WriteScope) => Promise<T>,
): Promise<T> {
  let later: WriteScope['later'] = [];
  const result = await database.transaction((tx) => {
    later = [];
    return work({ tx, later });
  });
  await afterCommit(async () => {
    for (const each of later) await each();
  });
  return result;
}

/** The hooks of each type, with those of all types. */
function hooksByType({ hooks, definition: { contentTypes } }: EntryOptions): HooksByType {
  const { [EVERY_TYPE]: every, ...own } = hooks;
  if (!every) return own;
  const uids = Object.keys(contentTypes.types);
  return Object.fromEntries(uids.map((uid) => [uid, withEveryTypeHooks(uid, every, own[uid])] as const));
}

function withoutBeforeFind(hooks: HooksByType): HooksByType {
  const all = Object.entries(hooks).map(([uid, own]) => [uid, own && { ...own, beforeFind: undefined }] as const);
  return Object.fromEntries(all) as HooksByType;
}

function open(options: OpenOptions, place: Place): OpenedEntries {
  const { definition, mailer, sessions, roles, logger, validatorsOf } = options;
  const { contentTypes } = definition;
  const uids = Object.keys(contentTypes.types).filter((uid) => !SUBJECTS.has(uid) || PROVIDED.has(uid));
  const server = serverCaller(contentTypes);
  const contextOf: ContextOf = (requestId) => {
    const call = { caller: server, requestId };
    const context: AnyContext = new LazyContext({
      entries: () =>
        createEntries({
          services,
          types: contentTypes,
          uids,
          call,
          database: place.database,
          hooked: (type) => hooked(type),
          inTransaction: (work) => context.inTransaction(({ entries }) => work(entries)),
        }),
      jobs: () => options.jobs?.(place) ?? NO_JOBS,
      mailer,
      sessions,
      roles: place.outside ? readOnlyRoles(roles) : roles,
      log: () => (requestId === undefined ? logger : logger.child({ requestId })),
      inTransaction: (work) => inOneTransaction(place, (scope) => work(within(scope, requestId))),
    });
    return context;
  };
  const outside = place.outside ?? contextOf;
  const within = (scope: WriteScope, requestId: string | undefined) => contextIn(options, scope, outside, requestId);
  let unnarrowed: OpenedEntries | undefined;
  const finding: ContextOf = (requestId) =>
    (unnarrowed ??= open({ ...options, hooks: withoutBeforeFind(options.hooks) }, place)).contextOf(requestId);
  const contexts = { before: contextOf, within, committed: outside, finding };
  const bound = Object.entries(hooksByType(options)).map(
    ([uid, own]) => [uid, own && bindHooks(uid, own, contexts, logger)] as const,
  );
  const hooks = Object.fromEntries(bound);
  const narrow = narrowBy(hooks, contentTypes);
  const plain = options.readerIn(place.database);
  const { ruleValues } = options;
  const ruled = ruleValues ? narrowedReader(plain, narrowByRules(contentTypes, ruleValues)) : plain;
  const reader = narrow ? narrowedReader(ruled, narrow) : ruled;
  const { database, afterCommit } = place;
  const isTransaction = place.outside !== undefined;
  const hooked = hookedTypes({
    types: contentTypes,
    validatorsOf,
    database,
    reader,
    hooks,
    afterCommit,
    isTransaction,
    ...(ruleValues && { ruleValues }),
    ...(options.inRelease && { inRelease: options.inRelease }),
    ...(options.tellsUpdates && { tellsUpdates: options.tellsUpdates }),
  });
  const ofSchema = createEntryServices(contentTypes, hooked);
  const services: EntryServices = {
    ...ofSchema,
    collection(uid) {
      const provide = options.provided.get(uid);
      return provide?.({ database, reader, afterCommit, isTransaction, hooked }) ?? ofSchema.collection(uid);
    },
  };
  const provide = (uid: string, service: ProvideService): void => void options.provided.set(uid, service);
  const transact: OpenedEntries['transact'] = (work) =>
    inOneTransaction(place, (scope) => {
      const inside = placeIn(options, scope, outside);
      return work(open(options, inside), inTransaction(options.database, scope.tx));
    });
  return { services, reader, contextOf, hooked, provide, transact };
}

function placeIn(options: OpenOptions, { tx, later }: WriteScope, outside: ContextOf): Place {
  const afterCommit: AfterCommit = async (work) => void later.push(work);
  return { database: inTransaction(options.database, tx), afterCommit, outside };
}

/** The context inside a transaction. Its entries are created on first access. */
function contextIn(
  options: OpenOptions,
  scope: WriteScope,
  outside: ContextOf,
  requestId: string | undefined,
): TransactionContext<AnyEntries> {
  let inside: AnyContext | undefined;
  const opened = () => (inside ??= open(options, placeIn(options, scope, outside)).contextOf(requestId));
  const making = {
    entries: () => opened().entries,
    jobs: () => opened().jobs,
    mailer: options.mailer,
    sessions: options.sessions,
    roles: readOnlyRoles(options.roles),
    log: () => opened().log,
  };
  return new LazyTransactionContext(making, scope.tx);
}

/** Adds a `context` to each event of `hooks`. The built-in types have no entries. */
export function openEntries(options: EntryOptions): OpenedEntries {
  const { contentTypes, api } = options.definition;
  const validatorsOf = createValidators(contentTypes, api.unknownAttributes);
  const ruleValues = options.definition.rules && createRuleValues(contentTypes, options.readerIn(options.database));
  return open(
    { ...options, validatorsOf, provided: new Map(), ruleValues },
    { database: options.database, afterCommit: (work) => work() },
  );
}
