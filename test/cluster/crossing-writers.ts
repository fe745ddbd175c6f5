/** Callers that change a few lists of one relation at the same time, from both of its sides. */
import { type Answer, createCaller } from './instances.ts';

/** Hubs, and as many leaves. */
const ENTRIES = 12;
const SHOWN = '[pagination][pageSize]=100';

/** How many answers had which status. */
export type Statuses = ReadonlyMap<number, number>;

type Side = 'hub' | 'leaf';

const SIDES = {
  hub: { path: '/api/hubs', list: 'leaves' },
  leaf: { path: '/api/leaves', list: 'hubs' },
} as const;

function randomOf<T>(values: readonly T[]): T {
  const value = values[Math.floor(Math.random() * values.length)];
  if (value === undefined) throw new Error('nothing to choose from');
  return value;
}

function randomChange(others: readonly number[]): unknown {
  const id = randomOf(others);
  switch (Math.floor(Math.random() * 5)) {
    case 0:
      return { disconnect: [{ id }] };
    case 1:
      return {
        set: Array.from({ length: 4 }, () => randomOf(others)).filter((each, at, all) => all.indexOf(each) === at),
      };
    case 2:
      return { connect: [{ id, position: { start: true } }] };
    default:
      return { connect: [{ id, position: { end: true } }] };
  }
}

export interface CrossingWriters {
  /** What so many writers are answered in so many milliseconds. */
  run(writers: number, milliseconds: number): Promise<Statuses>;
  /** What is wrong with the lists as an instance shows them. */
  faults(port: number): Promise<readonly string[]>;
}

export async function crossingWriters(port: number): Promise<CrossingWriters> {
  const setUp = createCaller(port, 'header');
  const ids: Record<Side, number[]> = { hub: [], leaf: [] };
  const made = async (answer: Promise<Answer>): Promise<number> => Number((await answer).body.data.id);
  for (let index = 0; index < ENTRIES; index += 1) {
    ids.hub.push(await made(setUp.send('POST', SIDES.hub.path, {})));
    ids.leaf.push(await made(setUp.send('POST', SIDES.leaf.path, { name: `crossing ${index}` })));
  }

  async function write(until: number, statuses: Map<number, number>): Promise<void> {
    const caller = createCaller(port, 'nothing');
    while (performance.now() < until) {
      const [own, other] = randomOf([
        ['hub', 'leaf'],
        ['leaf', 'hub'],
      ] as const);
      const { path, list } = SIDES[own];
      const { status } = await caller.send('PUT', `${path}/${randomOf(ids[own])}`, {
        [list]: randomChange(ids[other]),
      });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  }

  async function listsOf(of: number, side: Side): Promise<ReadonlyMap<number, readonly number[]>> {
    const { path, list } = SIDES[side];
    const caller = createCaller(of, 'header');
    // Who has written is shown what is there on the other nodes by now.
    await caller.send('POST', SIDES[side].path, {});
    const lists = new Map<number, readonly number[]>();
    for (const id of ids[side]) {
      const { status, body } = await caller.send(
        'GET',
        `${path}/${id}?populate[${list}][fields][0]=id&populate[${list}]${SHOWN}`,
      );
      if (status !== 200) throw new Error(`GET ${path}/${id}: ${status} ${JSON.stringify(body)}`);
      lists.set(
        id,
        (body.data.attributes[list].data as readonly { id: number }[]).map((entry) => entry.id),
      );
    }
    return lists;
  }

  return {
    async run(writers, milliseconds) {
      const statuses = new Map<number, number>();
      const until = performance.now() + milliseconds;
      await Promise.all(Array.from({ length: writers }, () => write(until, statuses)));
      return statuses;
    },
    async faults(of) {
      const [hubs, leaves] = [await listsOf(of, 'hub'), await listsOf(of, 'leaf')];
      const faults: string[] = [];
      for (const [[id, list], other] of [
        ...[...hubs].map((entry) => [entry, leaves] as const),
        ...[...leaves].map((entry) => [entry, hubs] as const),
      ]) {
        if (new Set(list).size !== list.length) faults.push(`the list of ${id} has an entry twice: ${list.join()}`);
        for (const member of list) {
          if (!other.get(member)?.includes(id)) faults.push(`${id} has ${member}, which does not have it`);
        }
      }
      return faults;
    },
  };
}
