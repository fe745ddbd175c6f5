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
import { createTimeBudget } from '../base/time-budget.ts';
import { createWorkLimit } from '../base/work-limit.ts';
import type { Row } from './statement-runner.ts';
import type { SqlValue } from './sql.ts';
import { type ReadTimeLimits, timeLimitOf } from './time-limit.ts';
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
   * Runs `work` on a process that it has for itself. One caller can't have all processes, unless there is only one. Throws
   * ClientGoneError as soon as the client disconnects, and ServiceUnavailableError if too many reads are queued.
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

export interface ReadProcessOptions extends ReadTimeLimits {
  readonly path: string;
  /** The maximum bytes of a value. */
  readonly maxLength: number;
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

/** A bounded number of processes, started on demand. */
export function createReadProcesses(options: ReadProcessOptions): ReadProcesses {
  const { readTimePerMinute, most } = options;
  const { waiting, wait: maxWait } = READ_PROCESSES;
  const limit = createWorkLimit({ atOnce: most, leavesRoom: true, waiting, maxWait });
  const time = createTimeBudget(readTimePerMinute);
  const idle: Worker[] = [];
  let closed = false;

  async function begin(): Promise<Worker> {
    try {
      const worker = startWorker(options);
      await nextMessage(worker, READ_PROCESSES.wait);
      return worker;
    } catch (error) {
      throw new ServiceUnavailableError(RETRY_AFTER, error);
    }
  }

  function takeIdle(): Worker | undefined {
    const worker = idle.pop();
    clearTimeout(worker?.idle);
    return worker?.ended ? takeIdle() : worker;
  }

  function release(worker: Worker): void {
    if (worker.ended) return;
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

  async function onWorker<T>(client: Client | undefined, work: (process: ReadProcess) => Promise<T>): Promise<T> {
    const worker = takeIdle() ?? (await begin());
    const unsubscribe = client?.onGone(() => end(worker, new ClientGoneError()));
    try {
      if (client?.gone) throw new ClientGoneError();
      const timeout = timeLimitOf(client, options);
      return await work({
        all: ({ text, params }) => ask(worker, { text, params }, timeout),
        exec: async (text) => void (await ask(worker, { exec: text }, timeout)),
      });
    } finally {
      unsubscribe?.();
      release(worker);
    }
  }

  return {
    run: (client, work) => limit.run(() => time.run(client?.caller, () => onWorker(client, work)), client),
    count: () => limit.count(),
    close() {
      closed = true;
      limit.close();
      for (const worker of idle.splice(0)) end(worker, new Error('closed'));
    },
  };
}
