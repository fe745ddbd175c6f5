/** The audit of a process: what its writes record, and what is recorded besides. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Context } from 'koa';
import { counters } from '../../base/counters.ts';
import { createNotice, type Notice } from '../../base/notice.ts';
import type { ContentTypes } from '../../contract/content-type.ts';
import type { Database } from '../../database/database.ts';
import type { Audit } from '../../http/audit.ts';
import { noticedWrites } from '../../write/noticed-writes.ts';
import { type Doer, doerOf } from './actor.ts';
import { auditSteps, plainRow } from './audit-steps.ts';
import { createRefusals } from './refusals.ts';
import type { ToldUpdates } from '../../write/told-updates.ts';

export interface OpenedAudit extends Audit {
  /** No type's updates are told because of the audit. */
  readonly tellsUpdates: ToldUpdates;
  /** Told after writes that were recorded. */
  readonly recorded: Notice;
  /** A database whose writes are recorded. */
  telling(database: Database): Database;
  /** Records the refusals that were counted. */
  flush(): Promise<void>;
}

/** `self`: who does what belongs to no request. */
export function openAuditLog(types: ContentTypes, self: 'server' | 'command' = 'server'): OpenedAudit {
  const requests = new AsyncLocalStorage<Context>();
  const recorded = createNotice();
  const refusals = createRefusals();
  const own: Doer = { actor: { kind: self }, requestId: undefined, address: undefined };
  let plain: Database | undefined;
  const doing = (): Doer => {
    const ctx = requests.getStore();
    return ctx ? doerOf(ctx) : own;
  };

  async function record(rows: readonly Omit<Parameters<typeof plainRow>[1], 'since'>[]): Promise<void> {
    if (!plain || rows.length === 0) return;
    const since = Date.now();
    const { dialect } = plain;
    const steps = rows.map((row) => plainRow(dialect, { ...row, since }));
    await plain.write(() => Promise.resolve({ subjects: [], steps, answer: () => undefined }));
    recorded.tell();
  }

  return {
    tellsUpdates: new Map(),
    recorded,
    telling(database) {
      plain = database;
      return noticedWrites(database, auditSteps(types, doing), () => recorded.tell());
    },
    inRequest: (ctx, work) => requests.run(ctx, work),
    async signedIn(userId, by) {
      const { requestId, address } = doing();
      const actor = { kind: 'user', id: userId } as const;
      await record([
        { event: 'user.sign-in', type: 'user', id: userId, by: { actor, requestId, address }, details: { by } },
      ]);
    },
    refused(event, permission) {
      const { actor, address } = doing();
      counters.auditRefusals += 1;
      refusals.count({ event, permission, by: { actor, address } });
    },
    async flush() {
      const rows = refusals.take().map(({ event, permission, by, count }) => ({
        event,
        type: undefined,
        id: undefined,
        by: { ...by, requestId: undefined },
        details: { count, ...(permission !== undefined && { permission }) },
      }));
      await record(rows);
    },
  };
}
