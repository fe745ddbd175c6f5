/** From the body's `data` to values that can be stored: validated, cast, passwords hashed. */
import { hashPasswords } from '../content/components/hash-passwords.ts';
import { valueOf, type Values } from '../contract/item-attributes.ts';
import type { ContentType } from '../contract/content-type.ts';
import { type Issue, ValidationError } from '../contract/errors.ts';
import { missingOf, type NamedAttribute, sentOf, sharedAttributes } from '../content/localization/shared-attributes.ts';
import type { Client } from '../base/client.ts';
import { isRecord } from '../content/validators/attributes.ts';
import type { NotWritable } from '../content/validators/field.ts';
import type { Checked, Variant } from '../content/validators/index.ts';
import { checkCompleteness } from './completeness.ts';
import type { EntryInput, StoredEntry, TypeContext, WriteRequest } from './context.ts';
import { type Self, selfOf, takenAttributes } from './unique.ts';

/** What `data` says, which may be anything. */
export function sentValues(data: unknown): Values {
  return isRecord(data) ? data : {};
}

/** Where a new entry of a localized type belongs; nothing for other types. */
export interface DocumentLocale {
  readonly locale?: string;
  /** Of an entry whose locale it is; undefined for an entry of its own. */
  readonly documentId?: string;
}

/** What becomes of attributes that no body may set, in the data of a write. */
export function notWritableOf({ caller, notWritable }: Pick<WriteRequest, 'caller' | 'notWritable'>): NotWritable {
  return notWritable ?? (caller.kind === 'server' ? 'taken' : 'refused');
}

/** Whether the entry will be a draft; `otherwise` is what it is if `data` does not say. */
export function willBeDraft(type: ContentType, data: unknown, otherwise: boolean): boolean {
  if (!type.draftAndPublish) return false;
  const given = valueOf(sentValues(data), 'publishedAt');
  return given === undefined ? otherwise : given === null;
}

/** Whether an update makes a draft public, so that all of the entry has to be good. */
export function publishes(type: ContentType, { published }: StoredEntry, data: unknown): boolean {
  return !published && !willBeDraft(type, data, true);
}

/** The attributes that `data` does not name. */
export function notSent(attributes: readonly NamedAttribute[], data: unknown): readonly NamedAttribute[] {
  return missingOf(attributes, sentValues(data));
}

/**
 * The values, if nothing is wrong with them. Throws ValidationError with that and with what another entry has taken, and
 * ClientGoneError where `client` no longer waits for passwords that are to be hashed.
 */
export async function accept(
  context: TypeContext,
  { values, issues }: Checked,
  { self, client }: { readonly self: Self; readonly client: Client | undefined },
): Promise<EntryInput> {
  const { database, types, type } = context;
  if (issues.length === 0) return hashPasswords(types, type.attributes, values, client);
  throw new ValidationError([...issues, ...(await takenAttributes(database, type, values, self))]);
}

/**
 * Checks data. What a draft gives to all locales of its entry is checked as for a published one if one of those is
 * published.
 */
export async function checkData(
  { types, type, validators: load }: TypeContext,
  {
    data,
    operation,
    draft,
    othersPublished,
    notWritable,
  }: {
    readonly data: unknown;
    readonly operation: 'create' | 'update';
    readonly draft: boolean;
    readonly othersPublished: boolean;
    readonly notWritable: NotWritable;
  },
): Promise<Checked> {
  const validators = await load();
  const loose: Variant = operation === 'create' ? 'createDraft' : 'updateDraft';
  const checked = validators.check(draft ? loose : operation, data, { types, notWritable });
  if (!draft || !othersPublished) return checked;
  const shared = sentOf(sharedAttributes(type), sentValues(data)).map(([name]) => name);
  if (shared.length === 0) return checked;
  const known = new Set(checked.issues.map(({ path }) => path.join('.')));
  const further = validators
    .check(operation, data, { types, notWritable })
    .issues.filter(({ path }) => shared.includes(path[0] ?? '') && !known.has(path.join('.')));
  return { values: checked.values, issues: [...checked.issues, ...further] };
}

/**
 * The values of a new entry. `documentLocale` are its `locale` and `documentId`, where its type is localized; `issues` what was found
 * wrong before. Throws ValidationError with all failing paths.
 */
export async function checkNewEntry(
  context: TypeContext,
  write: Pick<WriteRequest, 'data' | 'caller' | 'client' | 'notWritable'>,
  { documentLocale, issues: earlier }: { readonly documentLocale: DocumentLocale; readonly issues: readonly Issue[] },
): Promise<EntryInput> {
  const { data, client } = write;
  const draft = willBeDraft(context.type, data, false);
  const notWritable = notWritableOf(write);
  const { values, issues } = await checkData(context, {
    data,
    operation: 'create',
    draft,
    othersPublished: false,
    notWritable,
  });
  return accept(
    context,
    { values: { ...values, ...documentLocale }, issues: [...issues, ...earlier] },
    { self: documentLocale, client },
  );
}

/** The values of an update. Throws ValidationError with all failing paths, of what is sent and of what a draft lacks. */
export async function checkUpdate(
  context: TypeContext,
  stored: StoredEntry,
  write: Pick<WriteRequest, 'data' | 'caller' | 'client' | 'notWritable'>,
): Promise<EntryInput> {
  const { data, client } = write;
  const { database, type } = context;
  const { published, localization } = stored;
  const draft = willBeDraft(type, data, !published);
  const othersPublished = localization?.othersPublished === true;
  const notWritable = notWritableOf(write);
  const { values, issues } = await checkData(context, {
    data,
    operation: 'update',
    draft,
    othersPublished,
    notWritable,
  });
  const all: Issue[] = [...issues];
  // Of a request that is good by itself, what the entry lacks is looked for in its transaction.
  if (all.length > 0 && publishes(type, stored, data)) {
    const attributes = notSent(Object.entries(type.attributes), data);
    const found = await checkCompleteness(database, context, stored.id, { attributes, lock: false });
    all.push(...(found?.issues ?? []));
  }
  return accept(context, { values, issues: all }, { self: selfOf(stored), client });
}
