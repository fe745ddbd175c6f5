/**
 * Proves rules: of two servers whose content differs only in what a caller may not see, both give that caller the same answers, byte by
 * byte: statuses, bodies, totals, orders, errors and ETags.
 */
import type { ContentType } from '../../contract/content-type.ts';
import { type Caller, may, ruleOf } from '../../contract/policy/caller.ts';
import { createRandom, type Random } from '../../contract/values/random.ts';
import { loadQs } from '../../base/lazy-packages.ts';
import type { Proof, ProofOptions } from '../../contract/proof.ts';
import type { Key } from '../../entries/typed/any-entries.ts';
import type { AnyExtensions, ServerDefinition } from '../../server/definition.ts';
import { changeUnread, differ } from './differ.ts';
import { collectionsOf, contentOf, contentSamples, hiddenKeys, type IdsByType, type Keys } from './content-samples.ts';
import { allIds, changeableBy, type EntryIds, policyCaller, visibleIds } from './hidden-entries.ts';
import { visibleFiles } from './hidden-files.ts';
import { type KnownFiles, randomFileRead, refusedFileWrite } from './random-files.ts';
import { type KnownHistory, randomHistoryRead, refusedRestore } from './random-history.ts';
import {
  randomRead,
  type RandomRequest,
  refusedConnect,
  refusedWrite,
  type RequestContext,
} from './random-requests.ts';
import { fileAddresses, fileTypeOf } from './twin-files.ts';
import { forgetVersions, knownVersions, lastVersion, typesWithHistory } from './twin-history.ts';
import { align, openTwins, type Twin, type TwinCaller, type Twins } from './twins.ts';

/** Requests of each pair of servers. */
const CASES_PER_ROUND = 200;
const MAX_FAILURES = 10;
/** One request in this many is a write that must be refused. */
const WRITES = 6;
/** One read in this many is of files, if there are any, and so many of the refused writes are. */
const FILES = 6;
const FILE_WRITES = 8;
/** One read in this many is of what entries were, if there is a history. */
const HISTORY = 4;
/** Rounds in a row in which nothing could be hidden from the caller: then there is nothing to prove. */
const MAX_IDLE_ROUNDS = 25;

type VisibleByType = ReadonlyMap<string, EntryIds>;

async function visibleBy(twin: Twin, definition: ServerDefinition, caller: TwinCaller): Promise<VisibleByType> {
  const visible = new Map<string, EntryIds>();
  for (const type of collectionsOf(definition)) {
    if (type.uid === 'file') continue;
    visible.set(type.uid, await visibleIds(twin, definition, caller, type));
  }
  const policy = policyCaller(definition, caller);
  if (fileTypeOf(definition)) visible.set('file', await visibleFiles(twin, definition, { policy, caller }, visible));
  return visible;
}

/** By type, the keys of entries that may be changed on both servers, or on neither: what a change may do can depend on what is hidden. */
async function alikeKeys(
  both: readonly [Twin, Twin],
  {
    definition,
    caller,
    keys,
  }: { readonly definition: ServerDefinition; readonly caller: TwinCaller; readonly keys: ReadonlyMap<string, Keys> },
): Promise<ReadonlyMap<string, readonly Key[]>> {
  const alike = new Map<string, readonly Key[]>();
  for (const type of collectionsOf(definition)) {
    const [one, other] = [
      await changeableBy(both[0], definition, caller, type),
      await changeableBy(both[1], definition, caller, type),
    ];
    const ofType = [...(keys.get(type.uid) ?? [])];
    alike.set(
      type.uid,
      ofType.filter(([id]) => one.get(id) === other.get(id)).map(([, key]) => key),
    );
  }
  return alike;
}

/** Which entries both servers have, as a text to compare. */
async function storedIn(both: readonly Twin[], definition: ServerDefinition): Promise<string> {
  const all = both.map((twin) => Promise.all(collectionsOf(definition).map((type) => allIds(twin, type))));
  return JSON.stringify(await Promise.all(all));
}

function isSame(one: VisibleByType, other: VisibleByType): boolean {
  return [...one].every(([uid, { byAction }]) => other.get(uid)?.byAction === byAction);
}

/** Of each type, the entries of which the caller sees nothing, and those of which he sees only what is published. */
async function hiddenFrom(
  twin: Twin,
  definition: ServerDefinition,
  visible: VisibleByType,
): Promise<{ readonly hidden: IdsByType; readonly hiddenDrafts: IdsByType }> {
  const hidden = new Map<string, ReadonlySet<number>>();
  const hiddenDrafts = new Map<string, ReadonlySet<number>>();
  for (const type of collectionsOf(definition)) {
    const all = await allIds(twin, type);
    const { found, drafts } = visible.get(type.uid) ?? { found: new Set(), drafts: new Set() };
    hidden.set(type.uid, new Set(all.filter((id) => !found.has(id) && !drafts.has(id))));
    const published = type.draftAndPublish ? [...found] : [];
    hiddenDrafts.set(type.uid, new Set(published.filter((id) => !drafts.has(id))));
  }
  return { hidden, hiddenDrafts };
}

/** Of hidden entries, those that the caller can't change or connect either. */
function unreachable(hidden: IdsByType, visible: VisibleByType): IdsByType {
  return new Map(
    [...hidden].map(([uid, ids]) => {
      const unshown = visible.get(uid)?.unshown;
      return [uid, new Set([...ids].filter((id) => !unshown?.has(id)))] as const;
    }),
  );
}

/** The attributes that the caller reads neither in lists nor by id, by type. */
function unreadBy(policy: Caller, definition: ServerDefinition): ReadonlyMap<string, ReadonlySet<string>> {
  const unread = collectionsOf(definition).map(({ uid, attributes }) => {
    const rules = (['find', 'findOne'] as const).flatMap((action) =>
      may(policy, action, uid) ? [ruleOf(policy, action, uid) ?? {}] : [],
    );
    const isUnread = (name: string): boolean =>
      rules.every(({ only, except }) => only?.includes(name) === false || except?.includes(name) === true);
    return [uid, new Set(rules.length === 0 ? [] : Object.keys(attributes).filter(isUnread))] as const;
  });
  return new Map(unread);
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

async function answerOf({ origin }: Twin, token: string | undefined, request: RandomRequest): Promise<Answer> {
  const { method, path, query, body } = request;
  const parameters = loadQs().stringify(query, { addQueryPrefix: true, encodeValuesOnly: true });
  const response = await fetch(`${origin}${path}${parameters}`, {
    method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const named = ['etag', 'cache-control', 'vary', 'content-length'].map(
    (name) => `${name}: ${response.headers.get(name)}`,
  );
  return { status: response.status, text: [String(response.status), ...named, await response.text()].join('\n') };
}

/** Where two texts first differ, with what is around. */
function excerpt(text: string, other: string): string {
  let index = 0;
  while (index < text.length && text[index] === other[index]) index += 1;
  return text.slice(Math.max(0, index - 120), index + 160);
}

function described({ method, path, query, body }: RandomRequest, { role, userId }: TwinCaller): string {
  const who = userId === undefined ? role : `${role} (user ${userId})`;
  return `${who}: ${method} ${path} ${JSON.stringify(query)}${body ? ` ${JSON.stringify(body)}` : ''}`;
}

/** Deleting what is not there succeeds in format v5. */
function isRefused({ status }: Answer, { method }: RandomRequest, format: RequestContext['format']): boolean {
  return status >= 400 || (format === 'v5' && method === 'DELETE' && status === 204);
}

interface Known {
  /** By type, those of all entries. */
  readonly keys: ReadonlyMap<string, Keys>;
  /** By type, those of entries that may be changed on both servers, or on neither. */
  readonly alike: ReadonlyMap<string, readonly Key[]>;
  /** By type, those of entries and files of which the caller sees nothing. */
  readonly unseen: ReadonlyMap<string, readonly Key[]>;
  readonly files: KnownFiles | undefined;
  readonly history: KnownHistory | undefined;
}

/** A write that must be refused, if there is one for the type. */
function randomRefused(
  context: RequestContext,
  type: ContentType,
  { alike, unseen }: Known,
): RandomRequest | undefined {
  const keys = alike.get(type.uid) ?? [];
  const own = unseen.get(type.uid) ?? [];
  const files = unseen.get('file') ?? [];
  if (files.length > 0 && context.random.once(FILE_WRITES)) return refusedFileWrite(context, files);
  if (own.length > 0 && type.history && context.random.once(3)) {
    return refusedRestore(context, type, context.random.pick(own));
  }
  if (own.length > 0 && context.random.once(2)) return refusedWrite(context, type, context.random.pick(own));
  return type.kind === 'singleType' ? undefined : refusedConnect(context, type, keys, unseen);
}

/** A read, or a write that must be refused. */
function randomRequest(context: RequestContext, type: ContentType, known: Known): RandomRequest {
  const { random } = context;
  const refused = random.once(WRITES) ? randomRefused(context, type, known) : undefined;
  if (refused) return refused;
  if (known.files && random.once(FILES)) return randomFileRead(context, known.files);
  if (known.history && random.once(HISTORY)) return randomHistoryRead(context, known.history, known.keys);
  return randomRead(context, type, [...(known.keys.get(type.uid)?.values() ?? [])]);
}

interface Round {
  readonly definition: ServerDefinition;
  readonly twins: Twins;
  readonly random: Random;
  readonly cases: number;
}

/** The files and their addresses; undefined if the schema has none. */
async function filesIn(
  twin: Twin,
  definition: ServerDefinition,
  keys: ReadonlyMap<string, Keys>,
): Promise<KnownFiles | undefined> {
  const type = fileTypeOf(definition);
  const ids = [...(keys.get('file')?.keys() ?? [])];
  return type && ids.length > 0 ? { type, ids, addresses: await fileAddresses(twin, definition) } : undefined;
}

/** Where nothing is hidden from the caller, or the difference would show. */
const NOTHING_PROVEN: Proof = { cases: 0, answered: 0, failures: [] };

async function proveFor(caller: TwinCaller, round: Round): Promise<Proof> {
  const { definition, twins, random, cases } = round;
  const [first, second] = twins.both;
  const policy = policyCaller(definition, caller);
  const visible = await visibleBy(first, definition, caller);
  const { hidden, hiddenDrafts } = await hiddenFrom(first, definition, visible);
  if ([...hidden.values(), ...hiddenDrafts.values()].every(({ size }) => size === 0)) return NOTHING_PROVEN;
  const { samples, keys } = await contentSamples(first, definition);
  const knownFiles = await filesIn(first, definition, keys);
  const difference = { hidden, hiddenDrafts, unread: unreadBy(policy, definition), random };
  for (const twin of twins.both) await changeUnread(twin, definition, difference);
  const hasHistory = typesWithHistory(definition).length > 0;
  const last = hasHistory ? await lastVersion(twins.both) : 0;
  if (last === undefined) return NOTHING_PROVEN;
  for (const twin of twins.both) {
    await differ(twin, definition, difference);
    if (hasHistory) await forgetVersions(twin, definition, visible, last);
  }
  await align(twins.both, definition);
  for (const twin of twins.both) {
    if (!isSame(visible, await visibleBy(twin, definition, caller))) return NOTHING_PROVEN;
  }
  const format = definition.api.format === 'v5' ? 'v5' : 'v4';
  const context: RequestContext = { types: definition.contentTypes, format, random, caller: policy, samples };
  const known: Known = {
    keys,
    unseen: hiddenKeys(keys, unreachable(hidden, visible)),
    alike: await alikeKeys(twins.both, { definition, caller, keys }),
    files: knownFiles,
    history: hasHistory
      ? { types: typesWithHistory(definition), versions: await knownVersions(first), last }
      : undefined,
  };
  const stored = await storedIn(twins.both, definition);
  const failures: string[] = [];
  let [done, answered] = [0, 0];
  for (; done < cases && failures.length < MAX_FAILURES; done += 1) {
    const type = random.pick(contentOf(definition));
    const request = randomRequest(context, type, known);
    const isWrite = request.method !== 'GET';
    const one = await answerOf(first, caller.tokens[0], request);
    const other = await answerOf(second, caller.tokens[1], request);
    if (isWrite && !isRefused(one, request, format)) {
      failures.push(`${described(request, caller)}\n  was not refused: ${one.status}`);
    }
    if (!isWrite && one.status === 200) answered += 1;
    if (one.text === other.text) continue;
    failures.push(
      `${described(request, caller)}\n  one:   ${excerpt(one.text, other.text)}\n  other: ${excerpt(other.text, one.text)}`,
    );
  }
  if ((await storedIn(twins.both, definition)) !== stored) {
    failures.push(`${caller.role}: refused writes changed what is stored`);
  }
  return { cases: done, answered, failures };
}

export type { Proof, ProofOptions } from '../../contract/proof.ts';

/**
 * Compares the answers of two servers of a project, with its own code. Fewer requests than asked for are compared if nothing is hidden
 * from any caller.
 */
export async function proveRules(
  definition: ServerDefinition,
  { cases, seed, databaseUrl, onProgress, extensions = {} }: ProofOptions & { readonly extensions?: AnyExtensions },
): Promise<Proof> {
  const random = createRandom(seed);
  const failures: string[] = [];
  let [done, answered, idle] = [0, 0, 0];
  while (done < cases && failures.length < MAX_FAILURES && idle < MAX_IDLE_ROUNDS) {
    const twins = await openTwins({ definition, extensions, databaseUrl }, random.below(2 ** 31));
    try {
      const round = { definition, twins, random, cases: Math.min(CASES_PER_ROUND, cases - done) };
      const proof = await proveFor(random.pick(twins.callers), round);
      idle = proof.cases > 0 ? 0 : idle + 1;
      done += proof.cases;
      answered += proof.answered;
      failures.push(...proof.failures);
      onProgress?.(done, cases);
    } finally {
      await twins.close();
    }
  }
  return { cases: done, answered, failures };
}
