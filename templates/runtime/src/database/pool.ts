/**
 * A bounded number of connections, handed out in the order in which they were asked for. Callers belong to lanes, each of which
 * may hold only so many at once: what is stuck in one lane leaves connections to the others.
 */
import { ServerUnavailable } from './connection.ts';

/** What a pool holds. */
export interface Pooled {
  readonly usable: boolean;
  close(): Promise<void>;
}

export interface PoolOptions<C extends Pooled, L extends string> {
  readonly connect: () => Promise<C>;
  /** How many connections there are at most. */
  readonly size: number;
  /** How many of them the callers of each lane may hold at once: at least 1. */
  readonly lanes: Readonly<Record<L, number>>;
  /** How long somebody waits for a connection, in milliseconds. */
  readonly acquireTimeout: number;
  /** How long a connection that nobody needs is kept, in milliseconds. */
  readonly idleTimeout: number;
  /** How many may wait in each lane at the same time. */
  readonly maxWaiting: number;
}

export interface Pool<C extends Pooled, L extends string> {
  /** A connection for the caller alone, until `release`. Throws ServerUnavailable, or what connecting throws. */
  acquire(lane: L): Promise<C>;
  /** `lane` is the one that it was acquired for. */
  release(connection: C, lane: L): void;
  /** Closes the connections that nobody uses: they may be dead, as another one was. */
  clear(): void;
  /** How many connections are open and unused, and of a lane: held, and waited for. */
  count(lane?: L): { readonly open: number; readonly idle: number; readonly held: number; readonly waiting: number };
  /** Refuses further callers, and resolves when all connections are back and closed. */
  close(): Promise<void>;
}

interface Waiter<C> {
  /** The turn in which it came. */
  readonly since: number;
  readonly resolve: (connection: C) => void;
  readonly reject: (error: unknown) => void;
  /** When it gives up, by `performance.now()`. */
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
  /** In the order in which they came: the first is the first to give up. */
  readonly waiting: Set<Waiter<C>>;
}

interface State<C extends Pooled> {
  readonly options: Omit<PoolOptions<C, string>, 'lanes'>;
  readonly lanes: readonly Lane<C>[];
  /** The one that was used last comes last. */
  readonly idle: Idle<C>[];
  /** One timer for all waiters: timers are not free. */
  clock: NodeJS.Timeout | undefined;
  /** Connections that are open or being opened. */
  open: number;
  /** Those of them that are being opened. */
  opening: number;
  /** Counts who began to wait, and connections that were begun. */
  turn: number;
  pruning: NodeJS.Timeout | undefined;
  closed: boolean;
  whenEmpty: (() => void) | undefined;
}

function nextTurn<C extends Pooled>(state: State<C>): number {
  state.turn += 1;
  return state.turn;
}

function isGone<C extends Pooled>(state: State<C>): void {
  state.open -= 1;
  if (state.closed && state.open === 0) state.whenEmpty?.();
}

function closeOne<C extends Pooled>(state: State<C>, connection: C): void {
  void connection.close().then(() => {
    isGone(state);
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

/** The lane of who has waited longest among those that may have another connection. */
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

function takeFirst<C>(lane: Lane<C> | undefined): Waiter<C> | undefined {
  const first = lane && firstOf(lane);
  if (first) lane.waiting.delete(first);
  return first;
}

/** Has those give up whose time is over. */
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
        waiter.reject(new ServerUnavailable(new Error(`no connection was free for ${options.acquireTimeout} ms`)));
      }
    }
    watchWaiters(state);
  }, until - performance.now());
  state.clock.unref();
}

/** Closes what nobody has needed for long, as long as there is anything. */
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

/** Hands a connection to who has waited longest and may have it, or keeps it. */
function handOut<C extends Pooled>(state: State<C>, connection: C): void {
  const lane = nextLane(state);
  const waiter = takeFirst(lane);
  if (lane && waiter) {
    lane.held += 1;
    waiter.resolve(connection);
  } else if (state.closed) {
    closeOne(state, connection);
  } else {
    state.idle.push({ connection, since: performance.now() });
    prune(state);
  }
}

/** How many of those who wait may have a connection. */
function wanted<C extends Pooled>({ lanes }: State<C>): number {
  let count = 0;
  for (const { waiting, limit, held } of lanes) count += Math.min(waiting.size, limit - held);
  return count;
}

/**
 * Opens connections for those who wait, as far as there may be more. An error is the answer to one of them, but not to who came
 * after the connection was begun: the database may be back by now.
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
        isGone(state);
        const lane = nextLane(state);
        if (lane && (firstOf(lane)?.since ?? begun) < begun) takeFirst(lane)?.reject(error);
        openMore(state);
      },
    );
  }
}

/** Serves those who may have a connection since their lane holds fewer: with what is idle, or what is opened for them. */
function serve<C extends Pooled>(state: State<C>): void {
  while (nextLane(state)) {
    const idle = takeIdle(state);
    if (!idle) break;
    handOut(state, idle);
  }
  openMore(state);
}

function wait<C extends Pooled>(state: State<C>, { waiting }: Lane<C>): Promise<C> {
  const { options } = state;
  return new Promise((resolve, reject) => {
    waiting.add({ since: nextTurn(state), resolve, reject, until: performance.now() + options.acquireTimeout });
    watchWaiters(state);
    openMore(state);
  });
}

async function closeAll<C extends Pooled>(state: State<C>): Promise<void> {
  state.closed = true;
  clearTimeout(state.pruning);
  for (const lane of state.lanes) {
    for (let waiter = takeFirst(lane); waiter; waiter = takeFirst(lane)) {
      waiter.reject(new ServerUnavailable(new Error('the server stops')));
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
    lanes[name] = { limit: options.lanes[name], held: 0, waiting: new Set() };
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
    async acquire(name) {
      if (state.closed) throw new ServerUnavailable(new Error('the server stops'));
      const lane = lanes[name];
      const idle = lane.held < lane.limit ? takeIdle(state) : undefined;
      if (idle) {
        lane.held += 1;
        return idle;
      }
      if (lane.waiting.size >= options.maxWaiting) {
        throw new ServerUnavailable(new Error(`${options.maxWaiting} requests are waiting for a connection`));
      }
      return wait(state, lane);
    },
    release(connection, name) {
      lanes[name].held -= 1;
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
