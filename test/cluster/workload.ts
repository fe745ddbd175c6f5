/** Callers that write and read at the same time, and remember what they were told: what they see later must agree with it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, type Caller, createCaller } from './instances.ts';

export const schemaFor = (database: 'postgres' | 'mysql'): string => `
name: cluster
databases: [${database}]
api: { maxPageSize: 10000 }
permissions: { public: { '*': '*' } }
contentTypes:
  hub:
    attributes:
      leaves: { type: relation, relation: manyToMany, target: leaf, inversedBy: hubs }
  leaf:
    pluralName: leaves
    attributes:
      name: { type: string, unique: true }
      hubs: { type: relation, relation: manyToMany, target: hub, mappedBy: leaves }
      badge: { type: relation, relation: oneToOne, target: badge, mappedBy: leaf }
  clock:
    attributes:
      count: { type: integer }
      written: { type: biginteger }
  badge:
    attributes:
      slug: { type: uid, required: true }
      codes: { type: component, component: badge.code, repeatable: true }
      leaf: { type: relation, relation: oneToOne, target: leaf, inversedBy: badge }
components:
  badge.code:
    attributes:
      value: { type: string, unique: true }
`;

const HUBS = 3;
const PAUSE = 15;

/** What went on in a phase. */
export interface Seen {
  /** What must not be: each is a sentence. */
  readonly wrong: string[];
  /** Reads of callers without a position, by status; and the longest, in milliseconds. */
  readonly plain: Map<number, number>;
  slowestPlain: number;
  /** How old the clock was at most that they were shown, in milliseconds. */
  oldest: number;
  /** Reads of callers with a position, by status. */
  readonly carried: Map<number, number>;
  /** Writes by status. */
  readonly writes: Map<number, number>;
  /** 503s to writes: with Retry-After, and without. */
  refused: number;
  uncertain: number;
}

function newSeen(): Seen {
  const maps = { plain: new Map(), carried: new Map(), writes: new Map() };
  return { wrong: [], ...maps, slowestPlain: 0, oldest: 0, refused: 0, uncertain: 0 };
}

function count(map: Map<number, number>, { status }: Answer): void {
  map.set(status, (map.get(status) ?? 0) + 1);
}

const idsIn = ({ body }: Answer): readonly number[] =>
  (body.data.attributes.leaves.data as readonly { id: number }[]).map(({ id }) => id);

const HUB_QUERY = '?populate[leaves][fields][0]=id&populate[leaves][pagination][pageSize]=10000';

export interface Workload {
  /** Of the phase that goes on. */
  readonly seen: Seen;
  /** Begins another phase; answers what the one before has seen. */
  next(): Seen;
  stop(): Promise<void>;
  /** Ends the callers, and compares everything that was acknowledged with what is there. */
  finish(): Promise<{ readonly wrong: readonly string[]; readonly acknowledged: number }>;
}

export interface WorkloadOptions {
  readonly writers: number;
  /** How those carry their position who only read, and are never to be shown an older state than before. */
  readonly watchers: readonly ('header' | 'cookie')[];
}

export async function startWorkload(port: number, { writers, watchers }: WorkloadOptions): Promise<Workload> {
  const setUp = createCaller(port, 'header');
  const make = async (path: string, data: unknown): Promise<string> =>
    `${path}/${(await setUp.send('POST', path, data)).body.data.id}`;
  const hubs: string[] = [];
  while (hubs.length < HUBS) hubs.push(await make('/api/hubs', {}));
  const clockPath = await make('/api/clocks', { count: 0, written: String(Date.now()) });
  /** Writer → hub → leaves, in the order in which they were acknowledged; and names of leaves. */
  const lists = Array.from({ length: writers }, () => Array.from({ length: HUBS }, (): number[] => []));
  const names = new Map<string, number>();
  let seen = newSeen();
  let isOver = false;

  const write = async (caller: Caller, method: string, path: string, data: unknown): Promise<Answer | undefined> => {
    const answer = await caller.send(method, path, data);
    count(seen.writes, answer);
    if (answer.status < 300) return answer;
    if (answer.status !== 503) seen.wrong.push(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    else if (answer.retryAfter === undefined) seen.uncertain += 1;
    else seen.refused += 1;
    return undefined;
  };
  const read = async (caller: Caller, path: string): Promise<Answer | undefined> => {
    const answer = await caller.send('GET', path);
    count(seen.carried, answer);
    if (answer.status === 503) return undefined;
    if (answer.status === 200) return answer;
    seen.wrong.push(`GET ${path}: ${answer.status}, which the caller has written`);
    return undefined;
  };

  /** Makes leaves, gives each to a hub, and looks at both. */
  async function writer(index: number): Promise<void> {
    const caller = createCaller(port, index % 2 === 0 ? 'header' : 'cookie');
    for (let turn = 0; !isOver; turn += 1) {
      const name = `leaf ${index} ${turn}`;
      const made = await write(caller, 'POST', '/api/leaves', { name });
      const id = made?.body.data.id as number | undefined;
      if (id !== undefined) {
        names.set(name, id);
        await read(caller, `/api/leaves/${id}`);
        const hub = turn % HUBS;
        const path = hubs[hub] ?? '';
        const given = await write(caller, 'PUT', path, { leaves: { connect: [{ id, position: { end: true } }] } });
        if (given) lists[index]?.[hub]?.push(id);
        const shown = await read(caller, `${path}${HUB_QUERY}`);
        const isThere = !given || !shown || idsIn(shown).includes(id);
        if (!isThere) seen.wrong.push(`${path} lacks ${id}, which was acknowledged`);
      }
      await sleep(PAUSE);
    }
  }

  async function clock(): Promise<void> {
    const caller = createCaller(port, 'header');
    for (let turn = 1; !isOver; turn += 1) {
      await write(caller, 'PUT', clockPath, { count: turn, written: String(Date.now()) });
      await sleep(PAUSE);
    }
  }

  /** Looks at the clock again and again: it must not go back. */
  async function watcher(by: 'header' | 'cookie'): Promise<void> {
    const caller = createCaller(port, by);
    // A cookie begins with a write.
    if (by === 'cookie') await write(caller, 'POST', '/api/leaves', { name: 'of a watcher' });
    let last = 0;
    while (!isOver) {
      const answer = await read(caller, clockPath);
      const now = answer?.body.data.attributes.count ?? last;
      if (now < last) seen.wrong.push(`the clock went back from ${last} to ${now} (${by})`);
      last = Math.max(last, now);
      await sleep(PAUSE);
    }
  }

  async function stranger(): Promise<void> {
    const caller = createCaller(port, 'nothing');
    while (!isOver) {
      const answer = await caller.send('GET', '/api/clocks?filters[count][$gte]=0');
      count(seen.plain, answer);
      seen.slowestPlain = Math.max(seen.slowestPlain, answer.milliseconds);
      if (answer.status === 200) {
        const age = Date.now() - Number(answer.body.data[0].attributes.written);
        seen.oldest = Math.max(seen.oldest, age);
      }
      await sleep(PAUSE / 3);
    }
  }

  const callers = [
    ...Array.from({ length: writers }, (_, index) => writer(index)),
    clock(),
    ...watchers.map(watcher),
    stranger(),
    stranger(),
  ];

  async function stop(): Promise<void> {
    isOver = true;
    await Promise.all(callers);
  }

  async function compare(): Promise<readonly string[]> {
    const wrong: string[] = [];
    const caller = createCaller(port, 'header');
    await caller.send('POST', '/api/leaves', { name: 'the last one' });
    for (const [hub, path] of hubs.entries()) {
      const shown = idsIn(await caller.send('GET', `${path}${HUB_QUERY}`));
      if (new Set(shown).size !== shown.length) wrong.push(`${path} holds an element twice`);
      for (const own of lists) {
        const acknowledged = own[hub] ?? [];
        const kept = shown.filter((id) => acknowledged.includes(id));
        const [before, after] = [acknowledged.join(), kept.join()];
        if (before !== after) wrong.push(`${path}: ${before} became ${after}`);
      }
    }
    for (const [name, id] of names) {
      const { status, body } = await caller.send('GET', `/api/leaves/${id}`);
      if (status !== 200 || body.data.attributes.name !== name) wrong.push(`${name} is lost: ${status}`);
    }
    return wrong;
  }

  return {
    get seen() {
      return seen;
    },
    next() {
      const before = seen;
      seen = newSeen();
      return before;
    },
    stop,
    async finish() {
      await stop();
      const acknowledged = names.size + lists.flat().reduce((sum, list) => sum + list.length, 0);
      return { wrong: [...seen.wrong, ...(await compare())], acknowledged };
    },
  };
}
