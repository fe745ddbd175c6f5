/** What a write does to the published version of its entry, if that is beside the draft. */
import type { ContentType } from '../contract/content-type.ts';
import { hasVersions } from '../contract/states.ts';
import { planPublish, unpublishSteps } from '../content/publication/publish.ts';
import type { NewId } from '../database/new-id.ts';
import type { Step, Subject, Transaction } from '../database/write-plan.ts';
import type { EntryInput, HookedType, StoredEntry } from './context.ts';

/** The draft is published, only the draft changes, or what is published is taken back. */
export type PublicationOutcome = 'published' | 'draft' | 'unpublished';

/** Undefined if the type has no published versions beside its drafts. */
export function outcomeOf(
  type: ContentType,
  { published }: Pick<StoredEntry, 'published'>,
  { draft, alone }: { readonly draft: boolean; readonly alone: boolean },
): PublicationOutcome | undefined {
  if (!hasVersions(type)) return undefined;
  if (!draft) return 'published';
  return published && !alone ? 'unpublished' : 'draft';
}

/** What a write makes of an entry in the eyes of visitors; undefined if nothing. */
export function publicationOf({
  outcome,
  isPublishing,
  isTakenBack,
}: {
  readonly outcome: PublicationOutcome | undefined;
  /** It makes a draft public. */
  readonly isPublishing: boolean;
  /** It makes a draft of what was public. */
  readonly isTakenBack: boolean;
}): Subject['publication'] {
  if (outcome === 'published' || (!outcome && isPublishing)) return 'publish';
  return outcome === 'unpublished' || (!outcome && isTakenBack) ? 'unpublish' : undefined;
}

/** The publication of a new entry, for the subject of its write. */
export function madePublic(type: ContentType, draft: boolean): Pick<Subject, 'publication'> {
  return type.draftAndPublish && !draft ? { publication: 'publish' } : {};
}

/** The values without the time of publication, if `isDraft`: a change of the draft alone leaves that as it is. */
export function withoutTime(type: ContentType, input: EntryInput, isDraft: boolean): EntryInput {
  if (!isDraft || !hasVersions(type)) return input;
  const { publishedAt: _, ...values } = input;
  return values;
}

/** The steps for an entry that existed before. */
export async function outcomeSteps(
  tx: Transaction,
  { types, type }: Pick<HookedType, 'types' | 'type'>,
  { id, published, localization }: StoredEntry,
  outcome: PublicationOutcome | undefined,
): Promise<readonly Step[]> {
  const documentId = localization?.documentId;
  if (outcome === 'published') return planPublish(tx, { types, type }, id, { isNew: !published, documentId });
  return outcome === 'unpublished' ? unpublishSteps(tx.dialect, { types, type }, id, documentId) : [];
}

/** The steps for a new entry. `documentId`: that of the entry which gets a further locale. */
export async function newOutcomeSteps(
  tx: Transaction,
  { types, type }: Pick<HookedType, 'types' | 'type'>,
  id: NewId,
  { draft, documentId }: { readonly draft: boolean; readonly documentId?: string | undefined },
): Promise<readonly Step[]> {
  if (draft || !hasVersions(type)) return [];
  return planPublish(tx, { types, type }, id, { isNew: true, documentId });
}
