/** A bounded number of connections, handed out in the order in which they were asked for. */
import { ServerUnavailable } from './connection.ts';

/** What a pool holds. */
export interface Pooled {
  readonly usable: boolean;
  close(): Promise<void>;
}

export interface PoolOptions<C extends Pooled> {
  readonly connect: () => Promise<C>;
  /** How many connections there are at most. */
  readonly size: number;
  /** How long somebody waits for a connection, in milliseconds. */
  readonly acquireTimeout: number;
  /** How long a connection that nobody needs is kept, in milliseconds. */
  readonly idleTimeout: number;
  /** How many may wait at the same time. */
  readonly maxWaiting: number;
}

export interface Pool<C extends Pooled> {
  /** A connection for the caller alone, until `release`. Throws ServerUnavailable, or what connecting throws. */
  acquire(): Promise<C>;
  release(connection: C): void;
  /** Closes the connections that nobody uses: they may be dead, as another one was. */
  clear(): void;
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

interface State<C extends Pooled> {
  readonly options: PoolOptions<C>;
  /** The one that was used last comes last. */
  readonly idle: Idle<C>[];
  /** In the order in which they came: the first is the first to give up. */
  readonly waiting: Set<Waiter<C>>;
  /** One for all who wait, since to set one is not for nothing. */
  clock: NodeJS.Timeout | undefined;
  /** Connections that are open or being opened. */
  open: number;
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

function firstWaiter<C extends Pooled>({ waiting }: State<C>): Waiter<C> | undefined {
  const [waiter] = waiting;
  if (!waiter) return undefined;
  waiting.delete(waiter);
  return waiter;
}

/** Has those give up whose time is over. */
function watchWaiters<C extends Pooled>(state: State<C>): void {
  const { waiting, options } = state;
  const [first] = waiting;
  if (!first || state.clock) return;
  state.clock = setTimeout(() => {
    state.clock = undefined;
    const now = performance.now();
    for (const waiter of waiting) {
      if (waiter.until > now) break;
      waiting.delete(waiter);
      waiter.reject(new ServerUnavailable(new Error(`no connection was free for ${options.acquireTimeout} ms`)));
    }
    watchWaiters(state);
  }, first.until - performance.now());
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

/** Hands a connection to who has waited longest, or keeps it. */
function handOut<C extends Pooled>(state: State<C>, connection: C): void {
  const waiter = firstWaiter(state);
  if (waiter) {
    waiter.resolve(connection);
  } else if (state.closed) {
    closeOne(state, connection);
  } else {
    state.idle.push({ connection, since: performance.now() });
    prune(state);
  }
}

/**
 * Opens connections for those who wait, as far as there may be more. An error is the answer to one of them, but not to who came
 * after the connection was begun: the database may be back by now.
 */
function openMore<C extends Pooled>(state: State<C>): void {
  const { options, waiting } = state;
  if (waiting.size === 0 || state.open >= options.size) return;
  state.open += 1;
  const begun = nextTurn(state);
  options.connect().then(
    (connection) => handOut(state, connection),
    (error: unknown) => {
      isGone(state);
      const [first] = waiting;
      if (first && first.since < begun) firstWaiter(state)?.reject(error);
      openMore(state);
    },
  );
}

function wait<C extends Pooled>(state: State<C>): Promise<C> {
  const { waiting, options } = state;
  return new Promise((resolve, reject) => {
    waiting.add({ since: nextTurn(state), resolve, reject, until: performance.now() + options.acquireTimeout });
    watchWaiters(state);
    openMore(state);
  });
}

async function closeAll<C extends Pooled>(state: State<C>): Promise<void> {
  state.closed = true;
  clearTimeout(state.pruning);
  for (let waiter = firstWaiter(state); waiter; waiter = firstWaiter(state)) {
    waiter.reject(new ServerUnavailable(new Error('the server stops')));
  }
  if (state.open === 0) return;
  const empty = new Promise<void>((resolve) => {
    state.whenEmpty = resolve;
  });
  for (const { connection } of state.idle.splice(0)) closeOne(state, connection);
  await empty;
}

export function createPool<C extends Pooled>(options: PoolOptions<C>): Pool<C> {
  const state: State<C> = {
    options,
    idle: [],
    waiting: new Set(),
    clock: undefined,
    open: 0,
    turn: 0,
    pruning: undefined,
    closed: false,
    whenEmpty: undefined,
  };
  let closing: Promise<void> | undefined;
  return {
    async acquire() {
      if (state.closed) throw new ServerUnavailable(new Error('the server stops'));
      const idle = takeIdle(state);
      if (idle) return idle;
      if (state.waiting.size >= options.maxWaiting) {
        throw new ServerUnavailable(new Error(`${options.maxWaiting} requests are waiting for a connection`));
      }
      return wait(state);
    },
    release(connection) {
      if (connection.usable) handOut(state, connection);
      else closeOne(state, connection);
    },
    clear() {
      for (const { connection } of state.idle.splice(0)) closeOne(state, connection);
    },
    close: () => (closing ??= closeAll(state)),
  };
}
