/** Creates and changes entries of types with entry services: in the row that a request finds, or in a new one. */
import { ForbiddenError, type Issue } from '../contract/errors.ts';
import { permittingAction } from '../contract/policy/caller.ts';
import type { Transaction } from '../database/write-plan.ts';
import { type EntryRequest, isDocumentRequest } from '../query/entry-request.ts';
import type { CheckedQuery } from '../query/checked-query.ts';
import { updateChecking, withBeforeHook } from './before-hook.ts';
import { changeEntry } from './change-entry.ts';
import type { StoredEntry, TypeContext, WriteRequest } from './context.ts';
import { createEntryAt } from './create-entry.ts';
import { type Reached, type Saved, saveThrough } from './door.ts';
import { type DocumentLocale, publishes, willBeDraft } from './entry-input.ts';
import { requireShortLists } from './list-lengths.ts';
import { createLocale } from './localization/create-locale.ts';
import { attributeRule, mayName, ruledData } from './rules/ruled-data.ts';

/** A new entry. */
interface NewTarget extends Reached {
  readonly kind: 'new';
  readonly row: undefined;
  readonly documentLocale: DocumentLocale;
  readonly issues: readonly Issue[];
  /** Runs first in the transaction. */
  readonly precondition?: (tx: Transaction) => Promise<void>;
}

/** An existing row. */
interface RowTarget extends Reached {
  readonly kind: 'row';
  readonly row: number;
  readonly stored: StoredEntry;
}

/** A further locale of the entry that `source` is a row of. */
interface LocaleTarget extends Reached {
  readonly kind: 'locale';
  readonly row: number;
  readonly source: StoredEntry;
  readonly locale: string;
  /** Whether it is a draft unless the data says otherwise. */
  readonly draft: boolean;
}

export type SaveTarget = NewTarget | RowTarget | LocaleTarget;

/** The body of a write. */
export interface SaveBody {
  readonly checked: CheckedQuery;
  readonly data: unknown;
}

/** What differs between the doors to entries. */
export interface EntryDoor<Body extends SaveBody> {
  readonly given: unknown;
  /** The action that permits the write, unless the caller may write drafts alone. */
  readonly action: 'create' | 'update';
  read(): Promise<Body>;
  resolve(body: Body, again: boolean): Promise<SaveTarget>;
  /** The error for an entry that is hidden from the caller. Default: NotFoundError. */
  hidden?(): Error;
  /** The data that the caller may write to the target. Throws what the target refuses. */
  permitted?(target: SaveTarget, body: Body): Promise<unknown>;
}

export function existing(stored: StoredEntry): RowTarget {
  const { id: row, version, published, publishedVersion } = stored;
  const now = version === undefined ? undefined : { version, published, publishedVersion };
  return { kind: 'row', row, stored, ...(now && { state: { now } }) };
}

function checkingOf(type: TypeContext['type'], target: SaveTarget, data: unknown) {
  if (target.kind === 'row') return updateChecking(type, target.stored, data);
  const isLocale = target.kind === 'locale';
  const draft = willBeDraft(type, data, isLocale && target.draft && type.draftAndPublish);
  const inherits = isLocale || type.kind === 'singleType';
  return {
    operation: 'create',
    draft,
    othersPublished: false,
    ...(inherits && { inherited: true as const }),
    ...(isLocale && { localeOf: target.row }),
  } as const;
}

function write(context: TypeContext, target: SaveTarget, request: WriteRequest) {
  switch (target.kind) {
    case 'new':
      return createEntryAt(context, request, target);
    case 'row':
      return changeEntry(context, target.stored, request);
    case 'locale': {
      const { source, locale, draft } = target;
      return createLocale(context, source, { ...request, locale, draft });
    }
  }
}

export function saveEntry<Body extends SaveBody>(
  context: TypeContext,
  request: EntryRequest,
  door: EntryDoor<Body>,
): Promise<Saved<SaveTarget>> {
  return saveBy(context, request, door, (target, input) => write(context, target, input));
}

/** Throws ForbiddenError if the request publishes a draft by its status, and a rule permits no change of that. */
function requirePublishable(
  { type }: TypeContext,
  target: SaveTarget,
  { caller, given }: Pick<EntryRequest, 'caller'> & { readonly given: unknown },
): void {
  const rule = target.kind === 'row' ? attributeRule(caller, 'update', type) : undefined;
  if (!rule || target.kind !== 'row' || !publishes(type, target.stored, given)) return;
  if (!mayName(rule, type, 'publishedAt')) throw new ForbiddenError('this role may not publish the entry');
}

/** The steps of `saveEntry`, for writes that do more than write this entry. */
export function saveBy<Body extends SaveBody, Written>(
  context: TypeContext,
  request: EntryRequest,
  door: EntryDoor<Body>,
  writeEntry: (target: SaveTarget, input: WriteRequest) => Promise<Written>,
): Promise<Saved<SaveTarget, Written>> {
  requireShortLists(context, door.given, request.caller);
  const action = permittingAction(request.caller, door.action, context.type.uid);
  return saveThrough<Body, SaveTarget, WriteRequest, Written>(context, request, {
    read: () => door.read(),
    resolve: (body, again) => door.resolve(body, again),
    action: () => action,
    ...(door.hidden && { hidden: door.hidden }),
    async prepare(target, body) {
      const { caller } = request;
      const given = door.permitted ? await door.permitted(target, body) : body.data;
      const checking = checkingOf(context.type, target, given);
      const addsStatus = isDocumentRequest(request);
      if (addsStatus) requirePublishable(context, target, { ...request, given });
      const { data, complete } = await ruledData(context, given, { caller, action, checking, addsStatus });
      const { checked } = body;
      const write: WriteRequest = { checked, data, action, ...request };
      return complete(await withBeforeHook(context, write, checkingOf(context.type, target, data)));
    },
    write: writeEntry,
  });
}
