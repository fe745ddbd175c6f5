/** What the role may write: by its permissions, and by the rules that narrow them to some entries. */
import { useQuery } from '@tanstack/react-query';
import type { AdminEntryRights } from '../../../runtime/src/contract/admin.ts';
import { useMay } from '../app/session.ts';
import type { ContentType } from '../model/model.ts';
import { ask } from '../rest/request.ts';

export interface WriteRights {
  /** With the right `draft` alone, a role writes drafts, and nothing that visitors see. */
  readonly canSave: boolean;
  readonly canPublish: boolean;
  readonly canDelete: boolean;
}

/** The entry that is written. */
interface Entry {
  readonly id: number;
  readonly etag: string | undefined;
}

const NOTHING_YET: AdminEntryRights = { update: false, draft: false, delete: false };
const EVERYTHING: AdminEntryRights = { update: true, draft: true, delete: true };

/** What rules permit with an entry. Nothing, until the server has said so. */
function useEntryRights({ uid, rules }: ContentType, entry: Entry | undefined): AdminEntryRights {
  const isRuled = rules !== undefined && entry !== undefined;
  const { data = NOTHING_YET } = useQuery({
    // A write may change who may change the entry.
    queryKey: ['entry-rights', uid, entry?.id, entry?.etag],
    queryFn: () => ask<AdminEntryRights>({ path: `admin/rights/${uid}/${entry?.id}` }),
    enabled: isRuled,
  });
  return isRuled ? data : EVERYTHING;
}

/** `entry`: undefined for a new one. */
export function useWriteRights(type: ContentType, entry: Entry | undefined): WriteRights {
  const may = useMay();
  const { uid, kind, draftAndPublish } = type;
  const ruled = useEntryRights(type, entry);
  const isNew = entry === undefined && kind !== 'single';
  const canPublish = may(uid, isNew ? 'create' : 'update') && ruled.update;
  const canSave = canPublish || (draftAndPublish && may(uid, 'draft') && ruled.draft);
  return { canPublish, canSave, canDelete: entry !== undefined && may(uid, 'delete') && ruled.delete };
}
