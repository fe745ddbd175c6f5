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
import type { EntryQuery } from '../../query/entry-query.ts';
import { parseQuery } from '../../query/parse-query-string.ts';
import type { OpenQuery } from '../../query/reader.ts';
import type { CacheTagSettings } from './cache-tag-settings.ts';
import { reachedTypes } from './dependencies.ts';
import { type Dependencies, dependenciesOf, tagsOfDependencies } from './exact-dependencies.ts';
import { exactTypes } from './exact-types.ts';
import { limitedTags } from './limited-tags.ts';
import { type NoteShown, shownBy } from './shown-entries.ts';

interface Settings {
  readonly cacheTags: CacheTagSettings;
}

/** Parameters that choose content. An answer with others, such as `asOf`, or that may show drafts, has no tags. */
const KNOWN = new Set(['populate', 'filters', 'sort', 'fields', 'pagination', 'locale', '_q']);
function parametersIn(text: string): readonly string[] {
  return [...new URLSearchParams(text).keys()].map((key) => key.split('[', 1)[0] ?? '');
}

/** The names and values of all parameters. */
function wordsIn(text: string): string {
  return [...new URLSearchParams(text)].flat().join(' ');
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

/** How answers to queries of a shape are tagged exactly. */
interface Exact {
  readonly dependencies: Dependencies;
  readonly noteShown: NoteShown;
}

/** What is asked for. */
interface Question {
  readonly caller: Caller;
  readonly type: ContentType;
  readonly isOne: boolean;
  readonly query: EntryQuery;
}

/** How many answers, and shapes of queries, are remembered for what a caller may find. */
const MOST_KNOWN = 2000;

/** Longer addresses are not remembered. */
const LONGEST = 1024;

/** By what the caller may find, and then by a key. */
class Remembered<T> {
  readonly #all = new WeakMap<object, Map<string, T>>();

  get({ permissions }: Caller, key: string): T | undefined {
    return this.#all.get(permissions)?.get(key);
  }

  set({ permissions }: Caller, key: string, value: T): void {
    const known = this.#all.get(permissions) ?? new Map<string, T>();
    if (known.size >= MOST_KNOWN) known.clear();
    this.#all.set(permissions, known.set(key, value));
  }
}

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

  /** By validated query; null: the answers depend on their types as a whole. */
  const exactBy = new WeakMap<object, Exact | null>();
  function exactOf(query: OpenQuery['query']): Exact | null {
    const found = exactBy.get(query);
    if (found !== undefined) return found;
    const dependencies = dependenciesOf(query, { types: contentTypes, exact, names: tags });
    const isWrapped = query.entry.shape.related(0).kind === 'object';
    const made = dependencies ? { dependencies, noteShown: shownBy(query.entry, isWrapped) } : null;
    exactBy.set(query, made);
    return made;
  }

  /** The tags of exactly what an answer shows and was chosen by; undefined if its types are all that is known. */
  async function exactTags(
    ctx: Context,
    { caller, type, isOne, query }: Question,
  ): Promise<readonly string[] | undefined> {
    const { body } = ctx;
    if (typeof body !== 'string' && !Buffer.isBuffer(body)) return undefined;
    const format = state.format.get(ctx);
    const request = { caller, query, ...(format && { format }) };
    const parsed = await reader.parsed(type, request, isOne ? 'one' : 'list');
    const found = exactOf(parsed.query);
    if (!found) return undefined;
    const shown = new Map<string, Set<string>>();
    const others = new Set([tags.all, ...tagsOfDependencies(found.dependencies, parsed.values, tags)]);
    const isKnown = found.noteShown(body, {
      entry(uid, id) {
        let entries = shown.get(uid);
        if (!entries) shown.set(uid, (entries = new Set()));
        entries.add(tags.ofEntry(uid, id));
      },
      related: (uid, key, id) => void others.add(tags.ofBucket(uid, key, String(id))),
    });
    return isKnown ? limitedTags([...others], shown, tags) : undefined;
  }

  /** `text`: the query, without the values that it compares with. */
  function reachedOf(text: string, { caller, type }: Question): Reached | null {
    if (!parametersIn(text).every((name) => KNOWN.has(name))) return null;
    const reached = reachedTypes(contentTypes, caller, { type, query: wordsIn(text) });
    if (!reached || [...reached].some((uid) => isReadByOwnCode(uid))) return null;
    // Their addresses end after some minutes.
    if (isGuarded && reached.has('file')) return null;
    const types = [...reached];
    return { types, isExact: types.every((uid) => exact.has(uid)) && !findsFilesByUse(caller) };
  }

  const reachedBy = new Remembered<Reached | null>();

  function reachedOnce(ctx: Context, question: Question): Reached | null {
    const { caller, type, query } = question;
    const { shape } = query;
    if (shape === undefined) return reachedOf(ctx.querystring, question);
    const key = `${type.uid}?${shape}`;
    const known = reachedBy.get(caller, key);
    if (known !== undefined) return known;
    const reached = reachedOf(shape, question);
    reachedBy.set(caller, key, reached);
    return reached;
  }

  /** The tags of an answer, as the headers have them; null if it is not known what it depends on. */
  async function tagsOf(ctx: Context, caller: Caller): Promise<readonly string[] | null> {
    const path = find(ctx.path);
    if (!path) return null;
    const { type, key } = path;
    const isOne = key !== undefined || type.kind === 'singleType';
    const question: Question = { caller, type, isOne, query: parseQuery(ctx.querystring) };
    const reached = reachedOnce(ctx, question);
    if (!reached) return null;
    const own = reached.isExact ? await exactTags(ctx, question) : undefined;
    const found = own ?? limitedTags([tags.all, ...reached.types.map(tags.ofType)], new Map(), tags);
    return headers.map((name) => found.join(name.toLowerCase() === 'cache-tag' ? ',' : ' '));
  }

  const known = new Remembered<readonly string[] | null>();

  async function tagsOnce(ctx: Context, caller: Caller): Promise<readonly string[] | null> {
    const etag = ctx.res.getHeader('ETag');
    if (typeof etag !== 'string' || ctx.url.length > LONGEST) return tagsOf(ctx, caller);
    // An ETag identifies the bytes of an answer, and thereby what it shows.
    const key = `${etag} ${state.format.get(ctx)?.name ?? ''} ${ctx.url}`;
    let found = known.get(caller, key);
    if (found === undefined) known.set(caller, key, (found = await tagsOf(ctx, caller)));
    return found;
  }

  return async (ctx, next) => {
    await next();
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
    // A cache that asks whether an answer has changed keeps the tags that it had.
    if (!isRead || ctx.status !== 200) return;
    const caller = visitorOf(ctx);
    const found = caller && (await tagsOnce(ctx, caller));
    if (!found) return;
    for (const [index, name] of headers.entries()) ctx.res.setHeader(name, found[index] ?? '');
  };
}

async function openCacheTags(host: FeatureHost<Settings>): Promise<RunningFeature> {
  if (!host.tags) throw new Error('the server has no cache tags');
  return { mounts: [], middleware: { api: tagging(host, host.tags) } };
}

export const cacheTags: Feature<Settings> = { name: 'cache-tags', routes: [], start: openCacheTags };
