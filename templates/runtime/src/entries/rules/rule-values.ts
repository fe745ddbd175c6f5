/** The values of the variables in rules: attributes of the user are read once for each caller. */
import type { ContentType, ContentTypes } from '../../contract/content-type.ts';
import type { Caller } from '../../contract/policy/caller.ts';
import { type Permissions, type RuleVariable, writtenVariable } from '../../contract/policy/rule.ts';
import { serverCaller } from '../../contract/policy/server-caller.ts';
import { OWN_FLAT } from '../../query/format.ts';
import type { EntryQuery } from '../../query/entry-query.ts';
import { queryOf } from '../../query/query-of.ts';
import type { Reader } from '../../query/reader.ts';
import type { ValueOf } from '../../query/rules/rule-narrowing.ts';
import { variablesIn } from '../../query/rules/rule-filter.ts';

/** The values for a caller; a promise if the user must be read first. */
export type RuleValues = (caller: Caller) => ValueOf | Promise<ValueOf>;

type Path = readonly string[];

/** What to show of an entry, so that paths lead through it. */
interface Shown {
  readonly fields: readonly string[];
  readonly populate: Readonly<Record<string, Shown>>;
}

type HostVariable = Extract<RuleVariable, { readonly kind: 'host' }>;

function variablesOf({ rules = {} }: Permissions): readonly RuleVariable[] {
  return Object.values(rules).flatMap(({ where = {}, set = {} }) => variablesIn([where, set]));
}

/** `paths` are not empty. */
function shownBy(types: ContentTypes, type: ContentType | undefined, paths: readonly Path[]): Shown {
  const byName = new Map<string, Path[]>();
  for (const [name = '', ...rest] of paths) byName.set(name, [...(byName.get(name) ?? []), rest]);
  const fields = ['id'];
  const populate: Record<string, Shown> = {};
  for (const [name, rest] of byName) {
    const attribute = type?.attributes[name];
    if (attribute?.type !== 'relation') {
      fields.push(name);
      continue;
    }
    const behind = rest.filter(({ length }) => length > 0);
    populate[name] = shownBy(types, types.types[attribute.target ?? ''], behind);
  }
  return { fields, populate };
}

/** What rules need of the database. */
interface Needs {
  /** Reads what the paths of attributes of the user lead through; undefined without paths. */
  readonly user: EntryQuery | undefined;
  readonly hosts: readonly HostVariable[];
}

function needsOf(types: ContentTypes, permissions: Permissions): Needs {
  const variables = variablesOf(permissions);
  const paths = variables.flatMap((variable) =>
    variable.kind === 'user' && variable.path.length > 0 ? [variable.path] : [],
  );
  const user = shownBy(types, types.types['user'], paths);
  return {
    user: paths.length === 0 ? undefined : queryOf({ ...user, publicationState: 'preview' }),
    hosts: variables.filter((variable) => variable.kind === 'host'),
  };
}

/** What a path leads to: a scalar, or the id of an entry. */
function valueAt(user: unknown, path: Path): string | number | boolean | undefined {
  let value = user;
  for (const name of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  if (typeof value === 'object' && value !== null && 'id' in value) value = value.id;
  if (typeof value === 'string') return value === '' ? undefined : value;
  return typeof value === 'number' || typeof value === 'boolean' ? value : undefined;
}

/** What is read of the database for a caller. */
interface Read {
  /** With what the paths lead through. */
  readonly user: unknown;
  /** The ids of the entries of the host, by the variables that stand for them. */
  readonly hosts: ReadonlyMap<string, number>;
}

const NOTHING: Read = { user: undefined, hosts: new Map() };

function valuesOf({ userId, tokenOf, tokenId }: Caller, { user, hosts }: Read): ValueOf {
  const id = userId ?? tokenOf;
  let now: string | undefined;
  return (variable: RuleVariable) => {
    if (variable.kind === 'now') return (now ??= new Date().toISOString());
    if (variable.kind === 'token') return tokenId;
    if (variable.kind === 'host') return hosts.get(writtenVariable(variable));
    return variable.path.length === 0 ? id : valueAt(user, variable.path);
  };
}

/** Creates the values of a server. */
export function createRuleValues(types: ContentTypes, reader: Reader): RuleValues {
  const server = serverCaller(types);
  const needs = new WeakMap<Permissions, Needs>();
  const values = new WeakMap<Caller, Promise<ValueOf>>();

  async function readUser(id: number, query: EntryQuery): Promise<unknown> {
    const type = types.types['user'];
    if (!type) return undefined;
    const answer = await reader.one(type, { caller: server, query, format: OWN_FLAT }, id);
    return answer?.entry();
  }

  /** The id of the only published entry of the type whose attribute is the host; undefined if there are none or several. */
  async function entryAt(host: string, { type: uid, attribute }: HostVariable): Promise<number | undefined> {
    const type = types.types[uid];
    if (!type) return undefined;
    const query = queryOf({
      filters: { [attribute]: { $eq: host } },
      fields: ['id'],
      pagination: { pageSize: 2, withCount: false },
    });
    const answer = await reader.list(type, { caller: server, query, format: OWN_FLAT });
    const [found, ...others] = answer.entries() as readonly { readonly id: number }[];
    return others.length > 0 ? undefined : found?.id;
  }

  async function read(caller: Caller, { user: query, hosts }: Needs): Promise<ValueOf> {
    const id = caller.userId ?? caller.tokenOf;
    const user = id === undefined || !query ? undefined : await readUser(id, query);
    const ids = new Map<string, number>();
    for (const variable of caller.host === undefined ? [] : hosts) {
      const name = writtenVariable(variable);
      const found = ids.get(name) ?? (await entryAt(caller.host ?? '', variable));
      if (found !== undefined) ids.set(name, found);
    }
    return valuesOf(caller, { user, hosts: ids });
  }

  return (caller) => {
    const { permissions } = caller;
    const known = needs.get(permissions) ?? needsOf(types, permissions);
    needs.set(permissions, known);
    const asksUser = known.user !== undefined && (caller.userId ?? caller.tokenOf) !== undefined;
    const asksHost = known.hosts.length > 0 && caller.host !== undefined;
    if (!asksUser && !asksHost) return valuesOf(caller, NOTHING);
    const found = values.get(caller) ?? read(caller, known);
    values.set(caller, found);
    return found;
  };
}

/** Whether a rule depends on the host of the request. */
const namesHost = new WeakMap<Permissions, boolean>();

/** The caller of a request to a host. Those on which no rule depends are left out. */
export function atHost(caller: Caller, host: string): Caller {
  const { permissions } = caller;
  if (!permissions.rules) return caller;
  const isNamed = namesHost.get(permissions) ?? variablesOf(permissions).some(({ kind }) => kind === 'host');
  namesHost.set(permissions, isNamed);
  return isNamed && host !== '' ? { ...caller, host: host.toLowerCase() } : caller;
}
