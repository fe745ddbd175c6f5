/** Gives the team's hooks the context in which they run. */
import type { Logger } from 'pino';
import type { RawEvent, TypeHooks, WriteScope } from './hooks.ts';

/** Contexts by the place of a hook. */
export interface HookContexts {
  /** Of what runs before a transaction. */
  before(requestId: string | undefined): object;
  /** Of what runs in one. */
  within(scope: WriteScope, requestId: string | undefined): object;
  /** Of what runs when it is committed. */
  committed(requestId: string | undefined): object;
  /** Of what narrows reads, whose own reads are not narrowed. */
  finding(requestId: string | undefined): object;
}

type Hook = (event: RawEvent) => unknown;

function withContext(own: TypeHooks, hook: Hook, { before, within }: HookContexts): Hook {
  return ({ scope, requestId, ...event }) =>
    hook.call(own, { ...event, context: scope ? within(scope, requestId) : before(requestId) });
}

/** What it throws is logged: the write is done. */
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

/** The hooks of a type, each of which is called with the event and its context. */
export function bindHooks(type: string, own: TypeHooks, contexts: HookContexts, logger: Logger): TypeHooks {
  const bind = (name: string, hook: unknown): unknown => {
    if (typeof hook !== 'function') return hook;
    if (name === 'beforeFind') return withContext(own, hook as Hook, { ...contexts, before: contexts.finding });
    if (name !== 'committed') return withContext(own, hook as Hook, contexts);
    return afterCommit(type, withContext(own, hook as Hook, { ...contexts, before: contexts.committed }), logger);
  };
  return Object.fromEntries(Object.entries(own).map(([name, hook]) => [name, bind(name, hook)])) as TypeHooks;
}
