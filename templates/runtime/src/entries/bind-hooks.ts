/** Binds the project's hooks to the contexts in which they run. */
import type { Logger } from 'pino';
import type { RawEvent, TypeHooks, WriteScope } from './hooks.ts';

/** Creates the context of a hook, by when it runs. */
export interface HookContexts {
  /** For hooks that run before a transaction. */
  before(requestId: string | undefined): object;
  /** For hooks that run in a transaction. */
  within(scope: WriteScope, requestId: string | undefined): object;
  /** For hooks that run after the commit. */
  committed(requestId: string | undefined): object;
  /** For `beforeFind`: reads in this context are not narrowed by `beforeFind`. */
  finding(requestId: string | undefined): object;
}

type Hook = (event: RawEvent) => unknown;

function withContext(own: TypeHooks, hook: Hook, { before, within }: HookContexts): Hook {
  return ({ scope, requestId, ...event }) =>
    hook.call(own, { ...event, context: scope ? within(scope, requestId) : before(requestId) });
}

/** Logs what the hook throws, because the write is already committed. */
function afterCommit(type: string, run: Hook, logger: Logger): Hook {
  return async (event) => {
    try {
      await run(event);
    } catch (error) {
      const { requestId } = event;
      logger.error({ err: error, type, requestId }, 'a hook failed after its write was committed');
    }
  };
}

/** Wraps the hooks of a type so that each receives its context with the event. */
export function bindHooks(type: string, own: TypeHooks, contexts: HookContexts, logger: Logger): TypeHooks {
  const bind = (name: string, hook: unknown): unknown => {
    if (typeof hook !== 'function') return hook;
    if (name === 'beforeFind') return withContext(own, hook as Hook, { ...contexts, before: contexts.finding });
    if (name !== 'committed') return withContext(own, hook as Hook, contexts);
    return afterCommit(type, withContext(own, hook as Hook, { ...contexts, before: contexts.committed }), logger);
  };
  return Object.fromEntries(Object.entries(own).map(([name, hook]) => [name, bind(name, hook)])) as TypeHooks;
}
