/** What a write does to the published version of its entry, if that is beside the draft. */
import type { ContentType } from '../contract/content-type.ts';
import { ForbiddenError } from '../contract/errors.ts';
import { permissionName } from '../contract/policy/permission-name.ts';
import { presentAttributes, repeatedAttributes } from '../content/localization/shared-attributes.ts';
import { planPublish, type Published, unpublishSteps } from '../content/publication/publish.ts';
import type { NewId } from '../database/new-id.ts';
import type { Step, Subject, Transaction } from '../database/write-plan.ts';
import type { EntryInput, HookedType, StoredEntry, WriteRequest } from './context.ts';

/** The draft is published, only the draft changes, or what is published is taken back. */
export type PublicationOutcome = 'published' | 'draft' | 'unpublished';

/** Undefined if the type has no published versions beside its drafts. */
export function outcomeOf(
  type: ContentType,
  { published }: Pick<StoredEntry, 'published'>,
  { draft, alone }: { readonly draft: boolean; readonly alone: boolean },
): PublicationOutcome | undefined {
  if (!type.draftAndPublish) return undefined;
  if (!draft) return 'published';
  return published && !alone ? 'unpublished' : 'draft';
}

/** What a write makes of an entry in the eyes of visitors; undefined if nothing. */
export function publicationOf(outcome: PublicationOutcome | undefined): Subject['publication'] {
  if (outcome === 'published') return 'publish';
  return outcome === 'unpublished' ? 'unpublish' : undefined;
}

/** Throws ForbiddenError for a write of more than a draft by a caller who may write drafts alone. */
export function requireDraftAlone(
  { uid }: Pick<ContentType, 'uid'>,
  { action, caller }: Pick<WriteRequest, 'action' | 'caller'>,
  isDraft: boolean,
): void {
  if (action !== 'draft' || isDraft) return;
  throw new ForbiddenError({
    message: 'You may write drafts, but not what is published: add ?status=draft',
    reason: `${caller.role} has ${permissionName(uid, 'draft')} alone`,
  });
}

/** The action whose rule holds for a write, if that is not the one of its hooks. */
export function draftRule({ action }: Pick<WriteRequest, 'action'>): 'draft' | undefined {
  return action === 'draft' ? action : undefined;
}

/** The publication of a new entry, for the subject of its write. */
export function madePublic(type: ContentType, draft: boolean): Pick<Subject, 'publication'> {
  return type.draftAndPublish && !draft ? { publication: 'publish' } : {};
}

/** The values without the time of publication, if `isDraft`: a change of the draft alone leaves that as it is. */
export function withoutTime(type: ContentType, input: EntryInput, isDraft: boolean): EntryInput {
  if (!isDraft || !type.draftAndPublish) return input;
  const { publishedAt: _, ...values } = input;
  return values;
}

/** The steps for an entry that existed before. */
export async function outcomeSteps(
  tx: Transaction,
  { types, type }: Pick<HookedType, 'types' | 'type'>,
  { id, published, localization }: StoredEntry,
  { outcome, input }: { readonly outcome: PublicationOutcome | undefined; readonly input: EntryInput },
): Promise<readonly Step[]> {
  const documentId = localization?.documentId;
  if (outcome === 'published') {
    const changesShared = presentAttributes(repeatedAttributes(type), input).length > 0;
    return planPublish(tx, { types, type }, id, { isNew: !published, documentId, changesShared });
  }
  return outcome === 'unpublished' ? unpublishSteps(tx.dialect, { types, type }, id, documentId) : [];
}

/** The steps for a new entry. `furtherLocale`: of the entry that gets one, and whether that changes what its locales share. */
export async function newOutcomeSteps(
  tx: Transaction,
  { types, type }: Pick<HookedType, 'types' | 'type'>,
  id: NewId,
  { draft, furtherLocale }: { readonly draft: boolean; readonly furtherLocale?: Omit<Published, 'isNew'> },
): Promise<readonly Step[]> {
  if (draft || !type.draftAndPublish) return [];
  return planPublish(tx, { types, type }, id, {
    documentId: undefined,
    changesShared: false,
    ...furtherLocale,
    isNew: true,
  });
}
