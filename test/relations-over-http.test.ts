/** Relations over HTTP, on each engine: what a plain list would hold, also when many clients write at once. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { groupBy } from '../src/migrations/history/group-by.ts';
import { ValidationError } from '../templates/runtime/src/contract/errors.ts';
import { parseChanges, types } from '../templates/runtime/test-support/relation-database.ts';
import { applyToModel, forget, type Model, SIDES } from '../templates/runtime/test-support/relation-model.ts';
import { type RelationRequest, someRequests } from '../templates/runtime/test-support/relation-requests.ts';
import { testedEngines } from '../templates/runtime/test-support/runtime-database.ts';
import { type RelationServer, serveRelations } from './support/served-relations.ts';

/** Media are tested with the files that they need. */
const RELATIONS = SIDES.filter(([name]) => name !== 'hub.pic' && name !== 'hub.pics');
const COUNT = 3;
const CLIENTS = 64;

/** Entries by the ids that the model has for them. */
interface Entries {
  readonly server: RelationServer;
  /** Uid → id of the model → id of the server. */
  readonly ids: Readonly<Record<string, Map<number, number>>>;
}

async function createEntries(server: RelationServer, count: Readonly<Record<string, number>>): Promise<Entries> {
  const entries: Entries = { server, ids: { hub: new Map(), leaf: new Map() } };
  for (const [uid, number] of Object.entries(count)) {
    for (let id = 1; id <= number; id += 1) {
      const made = await server.send('POST', uid, undefined, {});
      expect(made.status).toBe(201);
      entries.ids[uid]?.set(id, made.id);
    }
  }
  return entries;
}

/** A value of the model with the ids of the server; those of entries that are gone, or were never there, are no entry's. */
function translate(ids: Entries['ids'], target: string | undefined, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => translate(ids, target, one));
  if (typeof value !== 'object' || value === null) return value;
  const type = (value as { type?: string }).type ?? target;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => {
      if (key === 'id') return [key, ids[type ?? '']?.get(part as number) ?? 1_000_000_000];
      return [key, translate(ids, type, part)];
    }),
  );
}

function send(entries: Entries, method: string, { uid, id, data }: RelationRequest) {
  const values = Object.entries(data).map(([name, value]) => {
    const attribute = types.types[uid]?.attributes[name];
    return [name, translate(entries.ids, attribute?.type === 'relation' ? attribute.target : undefined, value)];
  });
  const own = method === 'POST' ? undefined : (entries.ids[uid]?.get(id) ?? 0);
  return entries.server.send(method, uid, own, method === 'DELETE' ? undefined : Object.fromEntries(values));
}

/** What every list of every entry holds, as the model names it. */
async function readAll({ server, ids }: Entries): Promise<Record<string, readonly string[]>> {
  const known = new Map(
    Object.entries(ids).flatMap(([uid, own]) => [...own].map(([id, real]) => [`${uid}:${real}`, `${uid}:${id}`])),
  );
  const all: Record<string, readonly string[]> = {};
  for (const [uid, own] of Object.entries(ids)) {
    for (const [id, real] of own) {
      for (const [name, members] of await server.lists(uid, real)) {
        if (members.length > 0) all[`${uid}.${name} of ${id}`] = members.map((member) => known.get(member) ?? member);
      }
    }
  }
  return all;
}

function expected(model: Model): Record<string, readonly string[]> {
  const lists = [...model].flatMap(([name, owners]) =>
    [...owners].map(([id, members]) => [`${name} of ${id}`, members] as const),
  );
  return Object.fromEntries(lists.filter(([, members]) => members.length > 0));
}

/** What the model says of a request: its changes, or undefined if it has to be refused. */
function changesOf({ uid, data }: RelationRequest) {
  try {
    return parseChanges(types.types[uid] ?? expect.fail(uid), data);
  } catch (error) {
    expect(error).toBeInstanceOf(ValidationError);
    return undefined;
  }
}

/** Applies a request to the model; false where it has to be refused. */
function apply(model: Model, entries: Entries, request: RelationRequest, owner: number): boolean {
  const changes = changesOf(request);
  if (!changes) return false;
  const named = [...changes.values()].flatMap((one) => (one.kind === 'set' ? one.targets : one.connect));
  return named.every(({ type, id }) => entries.ids[type]?.has(id)) && applyToModel(model, request.uid, owner, changes);
}

type Kind = 'update' | 'create' | 'delete';

/** Sends one request and does the same to the model. */
async function step(model: Model, entries: Entries, kind: Kind, request: RelationRequest): Promise<void> {
  const ids = entries.ids[request.uid] ?? expect.fail(request.uid);
  if (kind === 'create') {
    const owner = Math.max(COUNT, ...ids.keys()) + 1;
    const allowed = apply(model, entries, request, owner);
    const { status, id } = await send(entries, 'POST', request);
    expect(status).toBe(allowed ? 201 : 400);
    if (allowed) ids.set(owner, id);
    return;
  }
  if (!ids.has(request.id)) return;
  if (kind === 'update') {
    const allowed = apply(model, entries, request, request.id);
    expect((await send(entries, 'PUT', request)).status).toBe(allowed ? 200 : 400);
    return;
  }
  expect((await send(entries, 'DELETE', request)).status).toBe(200);
  ids.delete(request.id);
  forget(model, request.uid, request.id);
}

/** A request of one of many clients, and what it adds to lists: from them the order of all requests can be told. */
interface Client {
  readonly request: RelationRequest;
  readonly place?: Place;
  /** A leaf that another client takes to another hub. */
  readonly takes?: { readonly leaf: number; readonly hub: number };
}

/** Where a list gets an element that no other client gives it. Of one group, later ones stand `after` earlier ones, or before them. */
interface Place {
  readonly list: string;
  readonly member: string;
  readonly group: string;
  readonly after: boolean;
}

const HUBS = 3;
const ANCHORS = [1, 2] as const;
const REMOVED = [3, 4, 5, 6] as const;
const FIRST_CONTESTED = 7;
const FIRST_OWN = FIRST_CONTESTED + CLIENTS / 4;

/** Positions, and the order of later elements that follows from each. */
const POSITIONS = [
  { position: { start: true }, group: 'start', after: false },
  { position: { end: true }, group: 'end', after: true },
  { position: { before: { id: ANCHORS[0] } }, group: 'before', after: true },
  { position: { after: { id: ANCHORS[1] } }, group: 'after', after: false },
] as const;

function at<T>(list: readonly T[], index: number): T {
  return list[index % list.length] as T;
}

/** Half of the clients give leaves of their own to lists of hubs, from both sides; half take leaves that two of them want. */
function clientOf(index: number): Client {
  const turn = index >> 2;
  const leaf = FIRST_OWN + index;
  const hub = 1 + (turn % HUBS);
  const place = { list: `hub.manyMany of ${hub}`, member: `leaf:${leaf}` };
  const takes = { leaf: FIRST_CONTESTED + turn, hub: 1 + ((turn + (index % 2)) % HUBS) };
  switch (index % 4) {
    case 0: {
      const { position, ...order } = at(POSITIONS, turn);
      const manyMany = { connect: [{ id: leaf, position }], disconnect: [{ id: at(REMOVED, turn) }] };
      return { request: { uid: 'hub', id: hub, data: { manyMany } }, place: { ...place, ...order } };
    }
    case 1: {
      const hubsMany = { connect: [{ id: hub, position: { start: true } }] };
      return { request: { uid: 'leaf', id: leaf, data: { hubsMany } }, place: { ...place, group: 'end', after: true } };
    }
    case 2: {
      const data = { oneMany: { connect: [{ id: takes.leaf }] }, follows: [{ id: hub }] };
      return { request: { uid: 'hub', id: takes.hub, data }, takes };
    }
    default:
      return { request: { uid: 'leaf', id: takes.leaf, data: { hubOfMany: { connect: [{ id: takes.hub }] } } }, takes };
  }
}

type Lists = Readonly<Record<string, readonly string[]>>;
type Edge = readonly [earlier: number, later: number];

/** The client by its place in a list: later ones further on. */
interface Placed {
  readonly client: number;
  readonly group: string;
  readonly index: number;
}

/** Where the element stands that a client has given to a list; undefined if another client has taken it away. */
function placedOf({ place, takes }: Client, client: number, lists: Lists): Placed | undefined {
  if (place) {
    const index = lists[place.list]?.indexOf(place.member) ?? -1;
    expect(index, `${place.member} in ${place.list}`).not.toBe(-1);
    return { client, group: `${place.list}, ${place.group}`, index: place.after ? index : -index };
  }
  const list = `hub.oneMany of ${takes?.hub}`;
  const index = lists[list]?.indexOf(`leaf:${takes?.leaf}`) ?? -1;
  return index === -1 ? undefined : { client, group: list, index };
}

/** What the lists say about the order in which the clients were served. */
function edgesOf(clients: readonly Client[], lists: Lists): readonly Edge[] {
  const placed = clients.flatMap((client, index) => placedOf(client, index, lists) ?? []);
  const groups = groupBy(placed, ({ group }) => group);
  const inLists = [...groups.values()].flatMap((group) => {
    const ordered = group.toSorted((a, b) => a.index - b.index);
    return ordered.slice(1).map(({ client }, index): Edge => [at(ordered, index).client, client]);
  });
  // Of two that have taken one leaf, the later has it.
  const taking = placed.flatMap(({ client: later }) => {
    const leaf = clients[later]?.takes?.leaf;
    return clients.flatMap(({ takes }, earlier): Edge[] =>
      leaf !== undefined && takes?.leaf === leaf && earlier !== later ? [[earlier, later]] : [],
    );
  });
  return [...inLists, ...taking];
}

/** An order of all clients in which none comes before one that `edges` has earlier. Fails where there is none. */
function sequence(count: number, edges: readonly Edge[]): readonly number[] {
  const waiting = new Map(Array.from({ length: count }, (_, index) => [index, new Set<number>()]));
  for (const [earlier, later] of edges) waiting.get(later)?.add(earlier);
  const order: number[] = [];
  while (waiting.size > 0) {
    const next = [...waiting].find(([, before]) => before.size === 0)?.[0];
    if (next === undefined) return expect.fail('no order of the requests gives these lists');
    waiting.delete(next);
    for (const before of waiting.values()) before.delete(next);
    order.push(next);
  }
  return order;
}

/** Lists in which two elements have one position. */
async function doubled({ database, server }: RelationServer): Promise<readonly unknown[]> {
  const attributes = Object.values(server.definition.contentTypes.types['hub']?.attributes ?? {});
  const found: unknown[] = [];
  for (const attribute of attributes) {
    if (attribute.type !== 'relation' || attribute.storage.kind !== 'link') continue;
    const { table, own, other, position, otherPosition } = attribute.storage;
    const sides = [[own, position], ...(otherPosition === undefined ? [] : [[other, otherPosition]])];
    for (const side of sides) {
      const columns = side.map((name) => database.id(name ?? '')).join(', ');
      const query = `SELECT ${columns} FROM ${database.id(table)} GROUP BY ${columns} HAVING count(*) > 1`;
      found.push(...(await database.rows(query)));
    }
  }
  return found;
}

describe.each(await testedEngines())('on %s', (engine) => {
  let server: RelationServer;
  beforeAll(async () => {
    server = await serveRelations(engine);
  });
  afterAll(() => server?.close());

  it.each(RELATIONS)('%s, and %s as its other side, are as the rules say, whatever is asked for', async (a, b) => {
    const names = b === undefined ? [a] : [a, b];
    const kind = fc.constantFrom<Kind>('update', 'update', 'update', 'create', 'delete');
    const steps = fc.array(fc.tuple(kind, someRequests(names, COUNT)), { maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(steps, async (sequenceOfSteps) => {
        const entries = await createEntries(server, { hub: COUNT, leaf: COUNT });
        const model: Model = new Map();
        for (const [what, request] of sequenceOfSteps) await step(model, entries, what, request);
        expect(await readAll(entries)).toEqual(expected(model));
      }),
      { numRuns: 8 },
    );
  });

  it(`${CLIENTS} clients at once, on both sides of the same lists, are served as if one after the other`, async () => {
    for (let round = 0; round < 3; round += 1) {
      const entries = await createEntries(server, { hub: HUBS, leaf: FIRST_OWN + CLIENTS });
      const model: Model = new Map();
      for (let id = 1; id <= HUBS; id += 1) {
        const manyMany = [...ANCHORS, ...REMOVED].map((leaf) => ({ id: leaf }));
        await step(model, entries, 'update', { uid: 'hub', id, data: { manyMany } });
      }
      const clients = Array.from({ length: CLIENTS }, (_, index) => clientOf(index));
      const answers = await Promise.all(clients.map(({ request }) => send(entries, 'PUT', request)));
      expect(answers.map(({ status }) => status)).toEqual(clients.map(() => 200));
      const lists = await readAll(entries);
      for (const index of sequence(CLIENTS, edgesOf(clients, lists))) {
        const { request } = at(clients, index);
        expect(apply(model, entries, request, request.id)).toBe(true);
      }
      expect(lists).toEqual(expected(model));
      expect(await doubled(server)).toEqual([]);
    }
  });
});
