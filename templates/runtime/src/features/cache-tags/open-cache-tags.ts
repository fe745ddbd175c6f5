/** Answers that are the same for everybody name what they depend on. */
import type { Context, Middleware } from 'koa';
import type { ContentType } from '../../contract/content-type.ts';
import { UnauthorizedError } from '../../contract/errors.ts';
import type { Caller } from '../../contract/policy/caller.ts';
import { guardsFiles } from '../../contract/policy/guarded-files.ts';
import { SUBJECTS } from '../../contract/policy/permission-name.ts';
import type { Feature, FeatureHost, RunningFeature } from '../../http/feature.ts';
import * as state from '../../http/state.ts';
import type { CacheTagSettings } from './cache-tag-settings.ts';
import { reachedTypes } from './dependencies.ts';

interface Settings {
  readonly cacheTags: CacheTagSettings;
}

/** Of more, in bytes or in tags, an answer only says that it depends on anything. Next keeps 128 tags of an answer. */
const LONGEST = 2048;
const MOST = 100;

/** Parameters that choose content. An answer with others, such as `asOf`, or that may show drafts, has no tags. */
const KNOWN = new Set(['populate', 'filters', 'sort', 'fields', 'pagination', 'locale', '_q']);
/** Those that may lead to other entries. */
const FOLLOWING = new Set(['populate', 'filters', 'sort', '_q']);

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

function tagging({ definition, settings, tags, isReadByOwnCode }: FeatureHost<Settings>): Middleware {
  const { contentTypes } = definition;
  const find = typeFinder(Object.values(contentTypes.types).filter(({ uid }) => !SUBJECTS.has(uid)));
  const isGuarded = guardsFiles(definition);
  const { header } = settings.cacheTags;
  const headers = header === undefined ? (tags?.headers ?? []) : [header];

  /** The tags of an answer; undefined if it is not known what it depends on. */
  function tagsOf(ctx: Context): readonly string[] | undefined {
    const caller = visitorOf(ctx);
    const found = caller && find(ctx.path);
    const names = parametersIn(ctx);
    if (!tags || !found || !names.every((name) => KNOWN.has(name))) return undefined;
    const { type, key } = found;
    const reached = reachedTypes(contentTypes, caller, { type, query: textOf(ctx) });
    if (!reached || [...reached].some((uid) => isReadByOwnCode(uid))) return undefined;
    // Their addresses end after some minutes.
    if (isGuarded && reached.has('file')) return undefined;
    const id = key !== undefined && /^[1-9]\d{0,14}$/u.test(key) ? Number(key) : undefined;
    const isAlone = reached.size === 1 && !type.localized && !names.some((name) => FOLLOWING.has(name));
    const own = id !== undefined && isAlone ? [tags.ofEntry(type.uid, id)] : [...reached].map(tags.ofType);
    const all = [tags.all, ...own];
    return all.length > MOST || all.join(',').length > LONGEST ? [tags.all] : all;
  }

  return async (ctx, next) => {
    await next();
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
    if (!isRead || (ctx.status !== 200 && ctx.status !== 304)) return;
    const found = tagsOf(ctx);
    if (!found) return;
    for (const name of headers) ctx.set(name, found.join(name.toLowerCase() === 'cache-tag' ? ',' : ' '));
  };
}

async function openCacheTags(host: FeatureHost<Settings>): Promise<RunningFeature> {
  return { mounts: [], middleware: { api: tagging(host) } };
}

export const cacheTags: Feature<Settings> = { name: 'cache-tags', routes: [], start: openCacheTags };
