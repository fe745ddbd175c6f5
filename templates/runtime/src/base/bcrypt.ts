/** Verifies bcrypt hashes in a worker thread: the package is written in JavaScript, and would block the event loop. */
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { lazyImport } from './lazy-import.ts';

/** How long an idle thread is kept, in milliseconds. */
const IDLE_TIMEOUT = 30_000;

const PROGRAM = `
const { parentPort, workerData } = require('node:worker_threads');
const { compareSync } = require(workerData);
parentPort.on('message', ([text, hash]) => parentPort.postMessage(compareSync(text, hash)));
`;

interface Waiting {
  readonly resolve: (isRight: boolean) => void;
  readonly reject: (error: Error) => void;
}

interface Thread {
  readonly worker: Worker;
  /** In order: the thread replies in the order of the messages. */
  readonly waiting: Waiting[];
}

let current: Thread | undefined;
let idle: NodeJS.Timeout | undefined;

/** The file of the package; undefined if it is part of a bundle. */
function packageFile(): string | undefined {
  try {
    return createRequire(import.meta.url).resolve('bcryptjs');
  } catch {
    return undefined;
  }
}

function startThread(file: string): Thread {
  const worker = new Worker(PROGRAM, { eval: true, workerData: file, env: {} });
  const thread: Thread = { worker, waiting: [] };
  const end = (error: Error): void => {
    if (current === thread) current = undefined;
    for (const { reject } of thread.waiting.splice(0)) reject(error);
  };
  worker.on('message', (isRight: boolean) => {
    thread.waiting.shift()?.resolve(isRight);
    if (thread.waiting.length > 0) return;
    // An idle thread must not keep the process alive.
    worker.unref();
    idle = setTimeout(() => {
      if (current === thread) current = undefined;
      void worker.terminate();
    }, IDLE_TIMEOUT).unref();
  });
  worker.on('error', end);
  worker.once('exit', () => end(new Error('The thread that verifies passwords has exited')));
  return thread;
}

const loadBcrypt = lazyImport(() => import('bcryptjs'));

/** Whether `text` is the password of the hash. The caller must limit the concurrency. */
export async function compareBcrypt(text: string, hash: string): Promise<boolean> {
  const file = packageFile();
  if (file === undefined) return (await loadBcrypt()).compare(text, hash);
  clearTimeout(idle);
  const { worker, waiting } = (current ??= startThread(file));
  worker.ref();
  return new Promise((resolve, reject) => {
    waiting.push({ resolve, reject });
    worker.postMessage([text, hash]);
  });
}
