/**
 * Processes that read a SQLite file: for statements that may take long, which would block the server's thread and which can
 * only be stopped by killing their process.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { constants, setPriority } from 'node:os';
import { READ_PROCESSES } from '../contract/limits.ts';
import { ClientGoneError, QueryTooSlowError, ServiceUnavailableError } from '../contract/errors.ts';
import type { Client } from '../base/client.ts';
import type { Row } from './statement-runner.ts';
import type { SqlValue } from './sql.ts';
import { PROGRAM } from './sqlite-process-program.ts';

/** How long an idle process is kept, in milliseconds. */
const IDLE_TIMEOUT = 30_000;
/** The Retry-After of refused requests, in seconds. */
const RETRY_AFTER = 2;

/** A statement whose parameters can be sent to another process. */
interface PlainStatement {
  readonly text: string;
  readonly params: readonly SqlValue[];
}

type Request = PlainStatement | { readonly exec: string };
interface Reply {
  readonly rows?: Row[];
  readonly error?: string;
}

export interface ReadProcess {
  /** The rows of a statement, with all integers as bigint. Throws QueryTooSlowError, or an error with SQLite's message. */
  all(statement: PlainStatement): Promise<Row[]>;
  /** Runs statements that return nothing. */
  exec(text: string): Promise<void>;
}

export interface ReadProcesses {
  /**
   * Runs `work` on a process that it has for itself. Throws ClientGoneError as soon as the client disconnects, and
   * ServiceUnavailableError if too many reads are queued.
   */
  run<T>(client: Client | undefined, work: (process: ReadProcess) => Promise<T>): Promise<T>;
  /** How many reads run, and how many wait. */
  count(): { readonly running: number; readonly waiting: number };
  close(): void;
}

interface Worker {
  readonly child: ChildProcess;
  /** Why it ended or is being killed. */
  ended: Error | undefined;
  idle: NodeJS.Timeout | undefined;
}

export interface ReadProcessOptions {
  readonly path: string;
  /** The maximum bytes of a value. */
  readonly maxLength: number;
  /** Time limit of one statement, in milliseconds; 0: no limit. */
  readonly statementTimeout: number;
  /** The maximum number of processes. */
  readonly most: number;
}

function startWorker({ path, maxLength }: ReadProcessOptions): Worker {
  const driver = createRequire(import.meta.url).resolve('@photostructure/sqlite');
  const child = spawn(process.execPath, ['-e', PROGRAM, driver, path, String(maxLength)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    serialization: 'advanced',
    env: {},
  });
  const worker: Worker = { child, ended: undefined, idle: undefined };
  // Without a listener, an error event would crash the server.
  child.on('error', (error) => (worker.ended ??= error));
  child.once('exit', () => (worker.ended ??= new Error('the reader process has exited')));
  // It must not keep the server's process alive.
  child.unref();
  child.channel?.unref();
  try {
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Without the permission it competes with the server for the CPU.
  }
  return worker;
}

function end(worker: Worker, reason: Error): void {
  worker.ended ??= reason;
  worker.child.kill('SIGKILL');
}

/** The next message of a worker; throws the reason if it ended. */
function nextMessage<T>(worker: Worker, timeout: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const { child } = worker;
    const timer = timeout > 0 ? setTimeout(() => end(worker, new QueryTooSlowError(timeout)), timeout) : undefined;
    const settle = (): void => {
      clearTimeout(timer);
      child.off('message', answered);
      child.off('exit', gone);
      child.off('error', gone);
    };
    const answered = (message: T): void => {
      settle();
      resolve(message);
    };
    const gone = (): void => {
      settle();
      reject(worker.ended ?? new Error('the reader process has exited'));
    };
    child.on('message', answered);
    child.on('exit', gone);
    child.on('error', gone);
  });
}

async function ask(worker: Worker, request: Request, timeout: number): Promise<Row[]> {
  if (worker.ended) throw worker.ended;
  const answer = nextMessage<Reply>(worker, timeout);
  // A request that can't be sent gets no reply.
  worker.child.send(request, (error) => {
    if (error) end(worker, error);
  });
  const { rows, error } = await answer;
  if (error !== undefined) throw new Error(error);
  return rows ?? [];
}

interface Waiter {
  /** False if it has given up meanwhile. */
  begin(worker: Worker): boolean;
  refuse(error: Error): void;
}

/** A bounded number of processes, started on demand. */
export function createReadProcesses(options: ReadProcessOptions): ReadProcesses {
  const { statementTimeout, most } = options;
  const idle: Worker[] = [];
  const waiting = new Set<Waiter>();
  let running = 0;
  let closed = false;

  async function begin(): Promise<Worker> {
    const worker = startWorker(options);
    await nextMessage(worker, READ_PROCESSES.wait);
    return worker;
  }

  function takeIdle(): Worker | undefined {
    const worker = idle.pop();
    clearTimeout(worker?.idle);
    return worker?.ended ? takeIdle() : worker;
  }

  function wait(): Promise<Worker> {
    if (waiting.size >= READ_PROCESSES.waiting) {
      throw new ServiceUnavailableError(RETRY_AFTER, new Error('too many slow reads are waiting'));
    }
    return new Promise((resolve, reject) => {
      const settle = (): boolean => {
        clearTimeout(timer);
        const isWaiting = !settled;
        settled = true;
        waiting.delete(waiter);
        return isWaiting;
      };
      const waiter: Waiter = {
        begin(worker) {
          const isWaiting = settle();
          if (isWaiting) resolve(worker);
          return isWaiting;
        },
        refuse(error) {
          if (settle()) reject(error);
        },
      };
      let settled = false;
      const late = new Error('waited too long for other slow reads');
      const timer = setTimeout(
        () => waiter.refuse(new ServiceUnavailableError(RETRY_AFTER, late)),
        READ_PROCESSES.wait,
      );
      waiting.add(waiter);
    });
  }

  async function acquire(): Promise<Worker> {
    if (closed) throw new ServiceUnavailableError(RETRY_AFTER, new Error('the server is stopping'));
    if (running >= most) return wait();
    running += 1;
    try {
      return takeIdle() ?? (await begin());
    } catch (error) {
      running -= 1;
      throw new ServiceUnavailableError(RETRY_AFTER, error);
    }
  }

  /** Takes the longest waiting caller from the queue. */
  function takeWaiter(): Waiter | undefined {
    const [next] = waiting;
    if (next) waiting.delete(next);
    return next;
  }

  function release(worker: Worker): void {
    if (worker.ended) {
      running -= 1;
      const next = takeWaiter();
      if (next) acquire().then((fresh) => next.begin(fresh) || release(fresh), next.refuse);
      return;
    }
    if (takeWaiter()?.begin(worker)) return;
    running -= 1;
    if (closed) {
      end(worker, new Error('closed'));
      return;
    }
    idle.push(worker);
    worker.idle = setTimeout(() => {
      idle.splice(idle.indexOf(worker), 1);
      end(worker, new Error('idle'));
    }, IDLE_TIMEOUT);
    worker.idle.unref();
  }

  return {
    async run(client, work) {
      const worker = await acquire();
      const unsubscribe = client?.onGone(() => end(worker, new ClientGoneError()));
      try {
        if (client?.gone) throw new ClientGoneError();
        return await work({
          all: ({ text, params }) => ask(worker, { text, params }, statementTimeout),
          exec: async (text) => void (await ask(worker, { exec: text }, statementTimeout)),
        });
      } finally {
        unsubscribe?.();
        release(worker);
      }
    },
    count: () => ({ running, waiting: waiting.size }),
    close() {
      closed = true;
      for (const { refuse } of waiting) {
        refuse(new ServiceUnavailableError(RETRY_AFTER, new Error('the server is stopping')));
      }
      for (const worker of idle.splice(0)) end(worker, new Error('closed'));
    },
  };
}
