/** Converts a body's `data` to storable values: validated and cast, with passwords hashed. */
import { hashPasswords } from '../content/components/hash-passwords.ts';
import { kindsOf, valueOf, type Values } from '../contract/item-attributes.ts';
import type { ContentType } from '../contract/content-type.ts';
import { type Issue, ValidationError } from '../contract/errors.ts';
import { type NamedAttribute, presentAttributes, sharedAttributes } from '../content/localization/shared-attributes.ts';
import type { Client } from '../base/client.ts';
import { withPauseAfter } from '../base/long-work.ts';
import { isRecord } from '../content/validators/attributes.ts';
import type { NotWritable } from '../content/validators/field.ts';
import type { Checked, Variant } from '../content/validators/entry.ts';
import { conditionNames } from '../contract/visibility.ts';
import { checkCompleteness, storedConditions } from './completeness.ts';
import { localeIssues } from './echoed-values.ts';
import type { EntryInput, StoredEntry, TypeContext, WriteRequest } from './context.ts';
import { type Self, selfOf, takenAttributes, type TakenIn, takenInFor } from './unique.ts';

/** The values in `data`, which may be anything; none if it is not an object. */
export function sentValues(data: unknown): Values {
  return isRecord(data) ? data : {};
}

/** The locale and document of a new entry of a localized type; empty for other types. */
export interface DocumentLocale {
  readonly locale?: string;
  /** The entry to which the locale belongs; undefined for a new entry. */
  readonly documentId?: string;
}

/** How a write treats attributes that no body may set. */
export function notWritableOf({ caller, notWritable }: Pick<WriteRequest, 'caller' | 'notWritable'>): NotWritable {
  return notWritable ?? (caller.kind === 'server' ? 'taken' : 'refused');
}

/** Whether the entry will be a draft; `otherwise` if `data` does not specify it. */
export function willBeDraft(type: ContentType, data: unknown, otherwise: boolean): boolean {
  if (!type.draftAndPublish) return false;
  const given = valueOf(sentValues(data), 'publishedAt');
  return given === undefined ? otherwise : given === null;
}

/** Whether an update publishes what is not published yet, so that the whole entry must be valid. */
export function publishes(type: ContentType, { published, modified }: StoredEntry, data: unknown): boolean {
  return (!published || modified === true) && !willBeDraft(type, data, !published);
}

/** Whether the value of an attribute counts as missing: of a uid with a target, also an empty string. */
function isMissing([, attribute]: NamedAttribute, value: unknown): boolean {
  return value === undefined || (value === '' && attribute.type === 'uid' && attribute.targetField !== undefined);
}

/** The attributes missing from `data`. */
export function notSent(attributes: readonly NamedAttribute[], data: unknown): readonly NamedAttribute[] {
  const sent = sentValues(data);
  return attributes.filter((named) => isMissing(named, valueOf(sent, named[0])));
}

/**
 * The values, with passwords hashed, if there are no issues. Otherwise throws ValidationError with the issues and those of unique
 * attributes that are taken. Throws ClientGoneError if `client` disconnects before passwords are hashed.
 */
export async function requireValid(
  context: TypeContext,
  { values, issues }: Checked,
  { self, client, takenIn }: { readonly self: Self; readonly client: Client | undefined; readonly takenIn: TakenIn },
): Promise<EntryInput> {
  const { database, types, type } = context;
  if (issues.length === 0) return hashPasswords(types, type.attributes, values, client);
  throw new ValidationError([...issues, ...(await takenAttributes(database, type, values, self, takenIn))]);
}

/** How data is validated. */
export interface DataCheck {
  readonly data: unknown;
  readonly operation: 'create' | 'update';
  readonly draft: boolean;
  readonly othersPublished: boolean;
  /** The locale of the entry that is updated, if its type is localized. */
  readonly locale?: string | undefined;
  readonly notWritable: NotWritable;
  /** The stored values on which conditions of attributes depend. */
  readonly stored?: Values | undefined;
}

/**
 * Validates data. If another locale of the entry is published, the attributes that a draft shares with it are validated as
 * published.
 */
export async function checkData(
  context: TypeContext,
  { data, operation, draft, othersPublished, locale, notWritable, stored }: DataCheck,
): Promise<Checked> {
  const { types, type } = context;
  const validators = context.validators();
  const loose: Variant = operation === 'create' ? 'createDraft' : 'updateDraft';
  const { values, issues } = await withPauseAfter(() =>
    validators.check(draft ? loose : operation, data, { types, notWritable, stored }),
  );
  const echoed =
    locale === undefined ? [] : localeIssues(context, sentValues(data), { written: locale, byDocument: false });
  const checked = { values, issues: [...issues, ...echoed] };
  if (!draft || !othersPublished) return checked;
  const shared = presentAttributes(sharedAttributes(type), sentValues(data)).map(([name]) => name);
  if (shared.length === 0) return checked;
  const known = new Set(checked.issues.map(({ path }) => path.join('.')));
  const further = validators
    .check(operation, data, { types, notWritable, stored })
    .issues.filter(({ path }) => shared.includes(path[0] ?? '') && !known.has(path.join('.')));
  return { values: checked.values, issues: [...checked.issues, ...further] };
}

/** The values that a rule sets though no request may. Throws ValidationError if they are invalid. */
export async function addedValues(context: TypeContext, { added }: Pick<WriteRequest, 'added'>): Promise<Checked> {
  if (!added) return { values: {}, issues: [] };
  const how = { operation: 'update', draft: true, othersPublished: false, notWritable: 'taken' } as const;
  return checkData(context, { ...how, data: added });
}

/**
 * Validates the data of a new entry. `documentLocale` are its `locale` and `documentId`, if its type is localized; `issues` those
 * found before. Throws ValidationError with all invalid paths.
 */
export async function checkNewEntry(
  context: TypeContext,
  write: Pick<WriteRequest, 'data' | 'caller' | 'client' | 'notWritable' | 'added' | 'format'>,
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
  const added = await addedValues(context, write);
  return requireValid(
    context,
    {
      values: { ...values, ...added.values, ...documentLocale },
      issues: [...issues, ...added.issues, ...earlier],
    },
    { self: documentLocale, client, takenIn: takenInFor(write, draft) },
  );
}

/** The issues of attributes that were not sent, but become visible and required by what was sent. */
async function newlyRequired(context: TypeContext, id: number, sent: Values): Promise<readonly Issue[]> {
  const attributes = notSent(kindsOf(context.type.attributes).conditional, sent).filter(
    ([, { visible }]) => visible?.required && conditionNames(visible).some((name) => valueOf(sent, name) !== undefined),
  );
  if (attributes.length === 0) return [];
  const stored = await storedConditions(context.database, context, id, { data: sent });
  const found = await checkCompleteness(context.database, context, id, {
    attributes,
    lock: false,
    sent: { ...stored, ...sent },
  });
  return (found?.issues ?? []).filter(({ path }) => path.length === 1);
}

/**
 * Validates the data of an update. Throws ValidationError with all invalid paths, including what a draft to be published lacks.
 */
export async function checkUpdate(
  context: TypeContext,
  stored: StoredEntry,
  write: Pick<WriteRequest, 'data' | 'caller' | 'client' | 'notWritable' | 'added' | 'format'>,
): Promise<EntryInput> {
  const { data, client } = write;
  const { database, type } = context;
  const { published, modified, localization } = stored;
  const draft = willBeDraft(type, data, !published);
  const othersPublished = localization?.othersPublished === true;
  const notWritable = notWritableOf(write);
  const { values, issues } = await checkData(context, {
    data,
    operation: 'update',
    draft,
    othersPublished,
    locale: localization?.locale,
    notWritable,
    stored: await storedConditions(database, context, stored.id, { data: sentValues(data) }),
  });
  const added = await addedValues(context, write);
  const all: Issue[] = [...issues, ...added.issues];
  if (!draft && published && !modified) all.push(...(await newlyRequired(context, stored.id, sentValues(data))));
  // If the data itself is valid, the completeness of the entry is checked later, in the transaction.
  if (all.length > 0 && publishes(type, stored, data)) {
    const attributes = notSent(Object.entries(type.attributes), data);
    const found = await checkCompleteness(database, context, stored.id, {
      attributes,
      lock: false,
      sent: sentValues(data),
    });
    all.push(...(found?.issues ?? []));
  }
  const checked = { values: { ...values, ...added.values }, issues: all };
  return requireValid(context, checked, { self: selfOf(stored), client, takenIn: takenInFor(write, draft) });
}
