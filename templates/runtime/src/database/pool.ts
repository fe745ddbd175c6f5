/**
 * A bounded pool of connections, which are handed out to those that hold the fewest, first come, first served. Callers belong to lanes, and each lane may hold only a
 * limited number at once: what gets stuck in one lane leaves connections for the others.
 */
import { ServerUnavailable } from './connection.ts';

/** What a pool needs to know of its connections. */
export interface Pooled {
  readonly usable: boolean;
  close(): Promise<void>;
}

export interface PoolOptions<C extends Pooled, L extends string> {
  readonly connect: () => Promise<C>;
  /** The maximum number of connections. */
  readonly size: number;
  /** How many of them each lane may hold at once: at least 1. */
  readonly lanes: Readonly<Record<L, number>>;
  /** How long a caller waits for a connection, in milliseconds. */
  readonly acquireTimeout: number;
  /** How long an idle connection is kept, in milliseconds. */
  readonly idleTimeout: number;
  /** How many callers may wait in each lane at the same time. */
  readonly maxWaiting: number;
}

export interface Pool<C extends Pooled, L extends string> {
  /**
   * A connection for exclusive use until `release`. Throws ServerUnavailable, or what connecting throws. Of those that wait in a lane,
   * the caller with the fewest connections is next; the server itself has no name, and goes first.
   */
  acquire(lane: L, caller?: string): Promise<C>;
  /** `lane` and `caller` are those it was acquired for. */
  release(connection: C, lane: L, caller?: string): void;
  /** Closes the idle connections, which may be dead like the one that just failed. */
  clear(): void;
  /** How many connections are open and idle, and, in a lane or in all of them, held and waited for. */
  count(lane?: L): { readonly open: number; readonly idle: number; readonly held: number; readonly waiting: number };
  /** Refuses new callers, and resolves when all connections have been released and closed. */
  close(): Promise<void>;
}

interface Waiter<C> {
  /** The sequence number of its arrival. */
  readonly since: number;
  readonly caller: string | undefined;
  readonly resolve: (connection: C) => void;
  readonly reject: (error: unknown) => void;
  /** Its deadline, by `performance.now()`. */
  readonly until: number;
}

interface Idle<C> {
  readonly connection: C;
  /** By `performance.now()`. */
  readonly since: number;
}

interface Lane<C> {
  readonly limit: number;
  /** How many connections its callers hold. */
  held: number;
  /** How many of them each caller holds. */
  readonly heldBy: Map<string, number>;
  /** In order of arrival, which is also the order of their deadlines. */
  readonly waiting: Set<Waiter<C>>;
}

interface State<C extends Pooled> {
  readonly options: Omit<PoolOptions<C, string>, 'lanes'>;
  readonly lanes: readonly Lane<C>[];
  /** Used as a stack: the last is the most recently used. */
  readonly idle: Idle<C>[];
  /** One timer for all waiters, as timers are not free. */
  clock: NodeJS.Timeout | undefined;
  /** Connections that are open or being opened. */
  open: number;
  /** How many of those are being opened. */
  opening: number;
  /** The sequence number of the latest waiter or connection attempt. */
  turn: number;
  pruning: NodeJS.Timeout | undefined;
  closed: boolean;
  whenEmpty: (() => void) | undefined;
}

function nextTurn<C extends Pooled>(state: State<C>): number {
  state.turn += 1;
  return state.turn;
}

function countClosed<C extends Pooled>(state: State<C>): void {
  state.open -= 1;
  if (state.closed && state.open === 0) state.whenEmpty?.();
}

function closeOne<C extends Pooled>(state: State<C>, connection: C): void {
  void connection.close().then(() => {
    countClosed(state);
    openMore(state);
  });
}

function takeIdle<C extends Pooled>(state: State<C>): C | undefined {
  for (let last = state.idle.pop(); last; last = state.idle.pop()) {
    if (last.connection.usable) return last.connection;
    closeOne(state, last.connection);
  }
  return undefined;
}

function firstOf<C>({ waiting }: Lane<C>): Waiter<C> | undefined {
  const [first] = waiting;
  return first;
}

/** Of the lanes that may hold another connection, the one with the longest waiting caller. */
function nextLane<C extends Pooled>({ lanes }: State<C>): Lane<C> | undefined {
  let next: Lane<C> | undefined;
  let since = Infinity;
  for (const lane of lanes) {
    const first = lane.held < lane.limit ? firstOf(lane) : undefined;
    if (!first || first.since > since) continue;
    next = lane;
    ({ since } = first);
  }
  return next;
}

/** Notes that a caller holds one connection more or less. */
function hold<C>(lane: Lane<C>, caller: string | undefined, change: 1 | -1): void {
  lane.held += change;
  if (caller === undefined) return;
  const held = (lane.heldBy.get(caller) ?? 0) + change;
  if (held === 0) lane.heldBy.delete(caller);
  else lane.heldBy.set(caller, held);
}

/** Takes the waiter whose caller holds the fewest connections; of several, the first. */
function takeFairest<C>({ waiting, heldBy }: Lane<C>): Waiter<C> | undefined {
  let fairest: Waiter<C> | undefined;
  let fewest = Infinity;
  for (const waiter of waiting) {
    const held = waiter.caller === undefined ? 0 : (heldBy.get(waiter.caller) ?? 0);
    if (held >= fewest) continue;
    fairest = waiter;
    fewest = held;
    if (held === 0) break;
  }
  if (fairest) waiting.delete(fairest);
  return fairest;
}

function takeFirst<C>(lane: Lane<C> | undefined): Waiter<C> | undefined {
  const first = lane && firstOf(lane);
  if (first) lane.waiting.delete(first);
  return first;
}

/** Rejects waiters whose deadline has passed. */
function watchWaiters<C extends Pooled>(state: State<C>): void {
  if (state.clock) return;
  const { lanes, options } = state;
  const until = Math.min(...lanes.map((lane) => firstOf(lane)?.until ?? Infinity));
  if (until === Infinity) return;
  state.clock = setTimeout(() => {
    state.clock = undefined;
    const now = performance.now();
    for (const { waiting } of lanes) {
      for (const waiter of waiting) {
        if (waiter.until > now) break;
        waiting.delete(waiter);
        waiter.reject(
          new ServerUnavailable(new Error(`no connection became free within ${options.acquireTimeout} ms`)),
        );
      }
    }
    watchWaiters(state);
  }, until - performance.now());
  state.clock.unref();
}

/** Closes connections that have been idle too long, for as long as there are idle ones. */
function prune<C extends Pooled>(state: State<C>): void {
  const { idle, options } = state;
  if (state.pruning || idle.length === 0) return;
  state.pruning = setTimeout(() => {
    state.pruning = undefined;
    const oldest = performance.now() - options.idleTimeout;
    while (idle[0] && (idle[0].since <= oldest || !idle[0].connection.usable)) {
      const first = idle.shift();
      if (first) closeOne(state, first.connection);
    }
    prune(state);
  }, options.idleTimeout);
  state.pruning.unref();
}

/** Hands a connection to a waiting caller that may have it, or keeps it idle. */
function handOut<C extends Pooled>(state: State<C>, connection: C): void {
  const lane = nextLane(state);
  const waiter = lane && takeFairest(lane);
  if (lane && waiter) {
    hold(lane, waiter.caller, 1);
    waiter.resolve(connection);
  } else if (state.closed) {
    closeOne(state, connection);
  } else {
    state.idle.push({ connection, since: performance.now() });
    prune(state);
  }
}

/** How many waiting callers may have a connection. */
function wanted<C extends Pooled>({ lanes }: State<C>): number {
  let count = 0;
  for (const { waiting, limit, held } of lanes) count += Math.min(waiting.size, limit - held);
  return count;
}

/**
 * Opens connections for waiting callers, within the limits. An error is passed to one of them, but not to one that arrived
 * after the attempt began: the database may be back by now.
 */
function openMore<C extends Pooled>(state: State<C>): void {
  const { options } = state;
  while (state.open < options.size && wanted(state) > state.opening) {
    state.open += 1;
    state.opening += 1;
    const begun = nextTurn(state);
    options.connect().then(
      (connection) => {
        state.opening -= 1;
        handOut(state, connection);
      },
      (error: unknown) => {
        state.opening -= 1;
        countClosed(state);
        const lane = nextLane(state);
        if (lane && (firstOf(lane)?.since ?? begun) < begun) takeFirst(lane)?.reject(error);
        openMore(state);
      },
    );
  }
}

/** Serves callers that may have a connection now that their lane holds fewer: with idle connections or new ones. */
function serve<C extends Pooled>(state: State<C>): void {
  while (nextLane(state)) {
    const idle = takeIdle(state);
    if (!idle) break;
    handOut(state, idle);
  }
  openMore(state);
}

function wait<C extends Pooled>(state: State<C>, { waiting }: Lane<C>, caller: string | undefined): Promise<C> {
  const { options } = state;
  return new Promise((resolve, reject) => {
    const until = performance.now() + options.acquireTimeout;
    waiting.add({ since: nextTurn(state), caller, resolve, reject, until });
    watchWaiters(state);
    openMore(state);
  });
}

async function closeAll<C extends Pooled>(state: State<C>): Promise<void> {
  state.closed = true;
  clearTimeout(state.pruning);
  for (const lane of state.lanes) {
    for (let waiter = takeFirst(lane); waiter; waiter = takeFirst(lane)) {
      waiter.reject(new ServerUnavailable(new Error('the server is stopping')));
    }
  }
  if (state.open === 0) return;
  const empty = new Promise<void>((resolve) => {
    state.whenEmpty = resolve;
  });
  for (const { connection } of state.idle.splice(0)) closeOne(state, connection);
  await empty;
}

export function createPool<C extends Pooled, L extends string>(options: PoolOptions<C, L>): Pool<C, L> {
  const lanes = {} as Record<L, Lane<C>>;
  for (const name of Object.keys(options.lanes) as L[]) {
    lanes[name] = { limit: options.lanes[name], held: 0, heldBy: new Map(), waiting: new Set() };
  }
  const state: State<C> = {
    options,
    lanes: Object.values<Lane<C>>(lanes),
    idle: [],
    clock: undefined,
    open: 0,
    opening: 0,
    turn: 0,
    pruning: undefined,
    closed: false,
    whenEmpty: undefined,
  };
  let closing: Promise<void> | undefined;
  return {
    async acquire(name, caller) {
      if (state.closed) throw new ServerUnavailable(new Error('the server is stopping'));
      const lane = lanes[name];
      const idle = lane.held < lane.limit ? takeIdle(state) : undefined;
      if (idle) {
        hold(lane, caller, 1);
        return idle;
      }
      if (lane.waiting.size >= options.maxWaiting) {
        throw new ServerUnavailable(new Error(`${options.maxWaiting} requests are waiting for a connection`));
      }
      return wait(state, lane, caller);
    },
    release(connection, name, caller) {
      hold(lanes[name], caller, -1);
      if (connection.usable) {
        handOut(state, connection);
      } else {
        closeOne(state, connection);
        serve(state);
      }
    },
    count(name) {
      const counted = name === undefined ? state.lanes : [lanes[name]];
      const sum = (value: (lane: Lane<C>) => number): number => counted.reduce((all, lane) => all + value(lane), 0);
      const { open, idle } = state;
      return { open, idle: idle.length, held: sum(({ held }) => held), waiting: sum(({ waiting }) => waiting.size) };
    },
    clear() {
      for (const { connection } of state.idle.splice(0)) closeOne(state, connection);
    },
    close: () => (closing ??= closeAll(state)),
  };
}
