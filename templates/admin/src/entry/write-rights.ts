/** What the role may write of a type: with `draft` alone, drafts, and nothing that visitors see. */
import { useMay } from '../app/session.ts';
import type { ContentType } from '../model/model.ts';

export interface WriteRights {
  readonly canSave: boolean;
  readonly canPublish: boolean;
}

export function useWriteRights({ uid, kind, draftAndPublish }: ContentType, isNew: boolean): WriteRights {
  const may = useMay();
  const canPublish = may(uid, isNew && kind !== 'single' ? 'create' : 'update');
  return { canPublish, canSave: canPublish || (draftAndPublish && may(uid, 'draft')) };
}
