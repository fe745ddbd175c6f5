/** Loads the audit, if the schema switches it on. */
import { explainMissingModule } from '../base/missing-module.ts';
import type { ContentTypes } from '../contract/content-type.ts';
import type { OpenedAudit } from '../features/audit/open-audit-log.ts';

/** Undefined if there is none. `self`: who does what belongs to no request. */
export async function loadAudit(
  definition: { readonly contentTypes: ContentTypes; readonly audit?: boolean },
  self: 'server' | 'command',
): Promise<OpenedAudit | undefined> {
  if (!definition.audit) return undefined;
  const { openAuditLog } = await import('../features/audit/open-audit-log.ts').catch(explainMissingModule('audit'));
  return openAuditLog(definition.contentTypes, self);
}
