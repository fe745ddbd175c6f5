/** The values of the variables in rules: attributes of the user are read once for each caller. */
import type { ContentType, ContentTypes } from '../../contract/content-type.ts';
import type { Caller } from '../../contract/policy/caller.ts';
import type { Permissions, RuleVariable } from '../../contract/policy/rule.ts';
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

/** The paths of attributes of the user in the rules. */
function pathsIn({ rules = {} }: Permissions): readonly Path[] {
  const variables = Object.values(rules).flatMap(({ where = {}, set = {} }) => variablesIn([where, set]));
  return variables.flatMap((variable) => (variable.kind === 'user' && variable.path.length > 0 ? [variable.path] : []));
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

/** Reads what the paths lead through; undefined without paths. */
function queryFor(types: ContentTypes, permissions: Permissions): EntryQuery | undefined {
  const paths = pathsIn(permissions);
  if (paths.length === 0) return undefined;
  return queryOf({ ...shownBy(types, types.types['user'], paths), publicationState: 'preview' });
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

/** `user`: with what the paths lead through. */
function valuesOf({ userId, tokenOf, tokenId }: Caller, user: unknown): ValueOf {
  const id = userId ?? tokenOf;
  let now: string | undefined;
  return (variable: RuleVariable) => {
    if (variable.kind === 'now') return (now ??= new Date().toISOString());
    if (variable.kind === 'token') return tokenId;
    return variable.path.length === 0 ? id : valueAt(user, variable.path);
  };
}

/** Creates the values of a server. */
export function createRuleValues(types: ContentTypes, reader: Reader): RuleValues {
  const server = serverCaller(types);
  const queries = new WeakMap<Permissions, { readonly query: EntryQuery | undefined }>();
  const users = new WeakMap<Caller, Promise<unknown>>();

  async function readUser(id: number, query: EntryQuery): Promise<unknown> {
    const type = types.types['user'];
    if (!type) return undefined;
    const answer = await reader.one(type, { caller: server, query, format: OWN_FLAT }, id);
    return answer?.entry();
  }

  return (caller) => {
    const { permissions } = caller;
    const known = queries.get(permissions) ?? { query: queryFor(types, permissions) };
    queries.set(permissions, known);
    const id = caller.userId ?? caller.tokenOf;
    if (id === undefined || !known.query) return valuesOf(caller, undefined);
    const user = users.get(caller) ?? readUser(id, known.query);
    users.set(caller, user);
    return user.then((read) => valuesOf(caller, read));
  };
}
