/**
 * Proves rules: of two servers whose content differs only in what a caller may not see, both give that caller the same answers, byte by
 * byte: statuses, bodies, totals, orders, errors and ETags.
 */
import type { ContentType } from '../../contract/content-type.ts';
import { isScalarAttribute } from '../../contract/item-attributes.ts';
import { type Caller, may, ruleOf } from '../../contract/policy/caller.ts';
import { createRandom, type Random } from '../../contract/values/random.ts';
import { loadQs } from '../../base/lazy-packages.ts';
import type { Proof, ProofOptions } from '../../contract/proof.ts';
import type { AnyExtensions, ServerDefinition } from '../../server/definition.ts';
import { entriesOf } from '../../features/seed/entry-writer.ts';
import { differ } from './differ.ts';
import { allIds, policyCaller, visibleIds } from './hidden-entries.ts';
import { randomRead, type RandomRequest, refusedWrite, type RequestContext, sampleKey } from './random-requests.ts';
import { align, openTwins, type Twin, type TwinCaller, type Twins } from './twins.ts';

/** Requests of each pair of servers. */
const CASES_PER_ROUND = 200;
const MAX_FAILURES = 10;
/** One request in this many is a write that must be refused. */
const WRITES = 6;
/** Rounds in a row in which nothing could be hidden from the caller: then there is nothing to prove. */
const MAX_IDLE_ROUNDS = 25;

type IdsByType = ReadonlyMap<string, ReadonlySet<number>>;

function contentOf({ contentTypes, routes }: ServerDefinition): readonly ContentType[] {
  return Object.keys(routes).flatMap((uid) => contentTypes.types[uid] ?? []);
}

function collectionsOf(definition: ServerDefinition): readonly ContentType[] {
  return contentOf(definition).filter(({ kind }) => kind === 'collectionType');
}

async function visibleBy(twin: Twin, definition: ServerDefinition, caller: TwinCaller): Promise<IdsByType> {
  const found = new Map<string, ReadonlySet<number>>();
  for (const type of collectionsOf(definition)) {
    found.set(type.uid, await visibleIds(twin, definition, caller, type));
  }
  return found;
}

function isSame(one: IdsByType, other: IdsByType): boolean {
  return [...one].every(([uid, ids]) => {
    const others = other.get(uid);
    return others?.size === ids.size && [...ids].every((id) => others.has(id));
  });
}

async function hiddenFrom(twin: Twin, definition: ServerDefinition, visible: IdsByType): Promise<IdsByType> {
  const hidden = new Map<string, ReadonlySet<number>>();
  for (const type of collectionsOf(definition)) {
    const all = await allIds(twin, type);
    hidden.set(type.uid, new Set(all.filter((id) => visible.get(type.uid)?.has(id) !== true)));
  }
  return hidden;
}

function listAt<T>(lists: Map<string, T[]>, key: string): T[] {
  const known = lists.get(key) ?? [];
  lists.set(key, known);
  return known;
}

/** The stored scalar values, and the keys of all entries. */
async function contentSamples(twin: Twin, definition: ServerDefinition) {
  const samples = new Map<string, unknown[]>();
  const keys = new Map<string, (number | string)[]>();
  const isV5 = definition.api.format === 'v5';
  for (const type of collectionsOf(definition)) {
    const state = type.draftAndPublish ? { publicationState: 'preview' } : {};
    const locale = type.localized ? { locale: 'all' } : {};
    for await (const each of entriesOf(twin.entries, type.uid).stream({ ...state, ...locale })) {
      const entry = each as Readonly<Record<string, unknown>>;
      const values = (entry['attributes'] ?? entry) as Readonly<Record<string, unknown>>;
      const key = isV5 ? values['documentId'] : entry['id'];
      listAt(keys, type.uid).push(key as number | string);
      for (const [name, attribute] of [['id', undefined] as const, ...Object.entries(type.attributes)]) {
        if (attribute && !isScalarAttribute(attribute)) continue;
        const value = name === 'id' ? entry['id'] : values[name];
        if (value === null || value === undefined) continue;
        listAt(samples, sampleKey(type.uid, name)).push(value);
      }
    }
  }
  return { samples, keys };
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

interface Round {
  readonly definition: ServerDefinition;
  readonly twins: Twins;
  readonly random: Random;
  readonly cases: number;
}

/** Where nothing is hidden from the caller, or the difference would show. */
const NOTHING_PROVEN: Proof = { cases: 0, answered: 0, failures: [] };

async function proveFor(caller: TwinCaller, round: Round): Promise<Proof> {
  const { definition, twins, random, cases } = round;
  const [first, second] = twins.both;
  const policy = policyCaller(definition, caller);
  const visible = await visibleBy(first, definition, caller);
  const hidden = await hiddenFrom(first, definition, visible);
  if ([...hidden.values()].every(({ size }) => size === 0)) return NOTHING_PROVEN;
  const { samples, keys } = await contentSamples(first, definition);
  for (const twin of twins.both) {
    await differ(twin, definition, { hidden, unread: unreadBy(policy, definition), random });
  }
  await align(twins.both, definition);
  for (const twin of twins.both) {
    if (!isSame(visible, await visibleBy(twin, definition, caller))) return NOTHING_PROVEN;
  }
  const context: RequestContext = { types: definition.contentTypes, random, caller: policy, samples };
  const failures: string[] = [];
  let [done, answered] = [0, 0];
  for (; done < cases && failures.length < MAX_FAILURES; done += 1) {
    const type = random.pick(contentOf(definition));
    const ids = [...(hidden.get(type.uid) ?? [])];
    const isWrite = definition.api.format !== 'v5' && ids.length > 0 && random.once(WRITES);
    const request = isWrite
      ? refusedWrite(context, type, random.pick(ids))
      : randomRead(context, type, keys.get(type.uid) ?? []);
    const one = await answerOf(first, caller.tokens[0], request);
    const other = await answerOf(second, caller.tokens[1], request);
    if (isWrite && one.status < 400) failures.push(`${described(request, caller)}\n  was not refused: ${one.status}`);
    if (!isWrite && one.status === 200) answered += 1;
    if (one.text === other.text) continue;
    failures.push(
      `${described(request, caller)}\n  one:   ${excerpt(one.text, other.text)}\n  other: ${excerpt(other.text, one.text)}`,
    );
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
