/** Answers that are the same for everybody name what they depend on. */
import type { Context, Middleware } from 'koa';
import type { ContentType } from '../../contract/content-type.ts';
import { UnauthorizedError } from '../../contract/errors.ts';
import { type Caller, findsFilesByUse } from '../../contract/policy/caller.ts';
import { guardsFiles } from '../../contract/policy/guarded-files.ts';
import { SUBJECTS } from '../../contract/policy/permission-name.ts';
import type { Feature, FeatureHost, RunningFeature } from '../../http/feature.ts';
import type { CacheTags } from '../../http/cache-tags.ts';
import * as state from '../../http/state.ts';
import { parseQuery } from '../../query/parse-query-string.ts';
import type { CacheTagSettings } from './cache-tag-settings.ts';
import { reachedTypes } from './dependencies.ts';
import { type Dependencies, dependenciesOf, tagsOfDependencies } from './exact-dependencies.ts';
import { exactTypes } from './exact-types.ts';
import { limitedTags } from './limited-tags.ts';
import { type Note, noteShown } from './shown-entries.ts';

interface Settings {
  readonly cacheTags: CacheTagSettings;
}

/** Parameters that choose content. An answer with others, such as `asOf`, or that may show drafts, has no tags. */
const KNOWN = new Set(['populate', 'filters', 'sort', 'fields', 'pagination', 'locale', '_q']);
function parametersIn({ querystring }: Context): readonly string[] {
  return [...new URLSearchParams(querystring).keys()].map((key) => key.split('[', 1)[0] ?? '');
}

/** The names and values of all parameters. */
function textOf({ querystring }: Context): string {
  return [...new URLSearchParams(querystring)].flat().join(' ');
}

/** The caller of a request without credentials; undefined if the answer may depend on who asks. */
function visitorOf(ctx: Context): Caller | undefined {
  if (ctx.get('authorization') !== '') return undefined;
  const caller = state.caller.get(ctx);
  return caller === undefined || caller instanceof UnauthorizedError || caller.kind !== 'public' ? undefined : caller;
}

/** Finds the type of a path: `/api/articles` or `/api/articles/7`. */
function typeFinder(types: readonly ContentType[]): (path: string) => { type: ContentType; key?: string } | undefined {
  const bySegment = new Map(types.map((type) => [type.kind === 'singleType' ? type.uid : type.pluralName, type]));
  return (path) => {
    const { segment = '', key } = /^\/api\/(?<segment>[^/]+)(?:\/(?<key>[^/]+))?\/?$/u.exec(path)?.groups ?? {};
    const type = bySegment.get(segment);
    return type && { type, ...(key !== undefined && { key }) };
  };
}

/** How the answers to queries of a type are tagged: by the types that they reach; undefined if they have no tags. */
interface Reached {
  readonly types: readonly string[];
  /** Whether it is known what else they depend on. */
  readonly isExact: boolean;
}

/** How many queries are remembered. */
const MOST_KNOWN = 2000;

function tagging(
  { definition, settings, reader, isReadByOwnCode }: FeatureHost<Settings>,
  tags: CacheTags,
): Middleware {
  const { contentTypes } = definition;
  const exact = exactTypes(contentTypes);
  const find = typeFinder(Object.values(contentTypes.types).filter(({ uid }) => !SUBJECTS.has(uid)));
  const isGuarded = guardsFiles(definition);
  const { header } = settings.cacheTags;
  const headers = header === undefined ? tags.headers : [header];

  /** What answers to queries of a shape depend on; null: on their types as a whole. */
  const known = new WeakMap<object, Dependencies | null>();

  /** The tags of exactly what an answer shows and was chosen by; undefined if its types are all that is known. */
  async function exactTags(
    ctx: Context,
    caller: Caller,
    type: ContentType,
    isOne: boolean,
  ): Promise<readonly string[] | undefined> {
    const { body } = ctx;
    if (typeof body !== 'string' && !Buffer.isBuffer(body)) return undefined;
    const format = state.format.get(ctx);
    const request = { caller, query: parseQuery(ctx.querystring), ...(format && { format }) };
    const { query, values } = await reader.parsed(type, request, isOne ? 'one' : 'list');
    let found = known.get(query);
    if (found === undefined) {
      found = dependenciesOf(query, { types: contentTypes, exact, names: tags }) ?? null;
      known.set(query, found);
    }
    if (!found) return undefined;
    const shown = new Map<string, Set<string>>();
    const others = new Set([tags.all, ...tagsOfDependencies(found, values, tags)]);
    const note: Note = {
      entry(uid, id) {
        const entries = shown.get(uid) ?? new Set();
        shown.set(uid, entries.add(tags.ofEntry(uid, id)));
      },
      related: (uid, key, id) => void others.add(tags.ofBucket(uid, key, String(id))),
    };
    const isWrapped = query.entry.shape.related(0).kind === 'object';
    if (!noteShown(body.toString(), query.entry, isWrapped, note)) return undefined;
    return limitedTags([...others], shown, tags);
  }

  /** By what the caller may find, and then by query. */
  const remembered = new WeakMap<object, Map<string, Reached | undefined>>();

  function reachedOf(ctx: Context, caller: Caller, type: ContentType): Reached | undefined {
    if (!parametersIn(ctx).every((name) => KNOWN.has(name))) return undefined;
    const reached = reachedTypes(contentTypes, caller, { type, query: textOf(ctx) });
    if (!reached || [...reached].some((uid) => isReadByOwnCode(uid))) return undefined;
    // Their addresses end after some minutes.
    if (isGuarded && reached.has('file')) return undefined;
    const types = [...reached];
    return { types, isExact: types.every((uid) => exact.has(uid)) && !findsFilesByUse(caller) };
  }

  function reachedOnce(ctx: Context, caller: Caller, type: ContentType): Reached | undefined {
    const queries = remembered.get(caller.permissions) ?? new Map<string, Reached | undefined>();
    remembered.set(caller.permissions, queries);
    const key = `${type.uid}?${ctx.querystring}`;
    if (queries.has(key)) return queries.get(key);
    const reached = reachedOf(ctx, caller, type);
    if (queries.size >= MOST_KNOWN) queries.clear();
    queries.set(key, reached);
    return reached;
  }

  /** The tags of an answer; undefined if it is not known what it depends on. */
  async function tagsOf(ctx: Context): Promise<readonly string[] | undefined> {
    const caller = visitorOf(ctx);
    const found = caller && find(ctx.path);
    if (!found) return undefined;
    const { type, key } = found;
    const reached = reachedOnce(ctx, caller, type);
    if (!reached) return undefined;
    const isOne = key !== undefined || type.kind === 'singleType';
    const own = reached.isExact ? await exactTags(ctx, caller, type, isOne) : undefined;
    return own ?? limitedTags([tags.all, ...reached.types.map(tags.ofType)], new Map(), tags);
  }

  return async (ctx, next) => {
    await next();
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
    // A cache that asks whether an answer has changed keeps the tags that it had.
    if (!isRead || ctx.status !== 200) return;
    const found = await tagsOf(ctx);
    if (!found) return;
    for (const name of headers) ctx.set(name, found.join(name.toLowerCase() === 'cache-tag' ? ',' : ' '));
  };
}

async function openCacheTags(host: FeatureHost<Settings>): Promise<RunningFeature> {
  if (!host.tags) throw new Error('the server has no cache tags');
  return { mounts: [], middleware: { api: tagging(host, host.tags) } };
}

export const cacheTags: Feature<Settings> = { name: 'cache-tags', routes: [], start: openCacheTags };
