/** Creates and changes entries of types with entry services: in the row that a request finds, or in a new one. */
import type { Issue } from '../contract/errors.ts';
import type { Transaction } from '../database/write-plan.ts';
import type { EntryRequest } from '../query/entry-request.ts';
import type { CheckedQuery } from '../query/reader.ts';
import { updateChecking, withBeforeHook } from './before-hook.ts';
import { changeEntry } from './change-entry.ts';
import type { StoredEntry, TypeContext, WriteRequest } from './context.ts';
import { createEntryAt } from './create-entry.ts';
import { type Reached, type Saved, saveThrough } from './door.ts';
import { type DocumentLocale, willBeDraft } from './entry-input.ts';
import { requireShortLists } from './list-lengths.ts';
import { createLocale } from './localization/create-locale.ts';

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
  read(): Promise<Body>;
  resolve(body: Body, again: boolean): Promise<SaveTarget>;
  /** The data that the caller may write to the target. Throws what the target refuses. */
  permitted?(target: SaveTarget, body: Body): Promise<unknown>;
}

export function existing(stored: StoredEntry): RowTarget {
  const { id: row, version, published } = stored;
  return { kind: 'row', row, stored, ...(version !== undefined && { state: { now: { version, published } } }) };
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

/** The steps of `saveEntry`, for writes that do more than write this entry. */
export function saveBy<Body extends SaveBody, Written>(
  context: TypeContext,
  request: EntryRequest,
  door: EntryDoor<Body>,
  writeEntry: (target: SaveTarget, input: WriteRequest) => Promise<Written>,
): Promise<Saved<SaveTarget, Written>> {
  requireShortLists(context, door.given, request.caller);
  return saveThrough<Body, SaveTarget, WriteRequest, Written>(context, request, {
    read: () => door.read(),
    resolve: (body, again) => door.resolve(body, again),
    async prepare(target, body) {
      const data = door.permitted ? await door.permitted(target, body) : body.data;
      const { checked } = body;
      return withBeforeHook(context, { ...request, checked, data }, checkingOf(context.type, target, data));
    },
    write: writeEntry,
  });
}
