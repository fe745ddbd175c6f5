/** Validates and inserts a further locale of an entry in one transaction, and returns it. */
import { isLinkAttribute, valueOf, type Values } from '../../contract/item-attributes.ts';
import type { ContentType } from '../../contract/content-type.ts';
import type { Executor } from '../../database/executor.ts';
import type { Step, Transaction } from '../../database/write-plan.ts';
import { checkCompleteness, storedConditions } from '../completeness.ts';
import type { ReadEntry } from '../../query/version-tag.ts';
import type { EntryInput, Localization, StoredEntry, TypeContext, WriteRequest } from '../context.ts';
import {
  addedValues,
  checkData,
  notSent,
  notWritableOf,
  requireValid,
  sentValues,
  willBeDraft,
} from '../entry-input.ts';
import { StaleEntryError } from '../stale-entry.ts';
import { runWrite } from '../run-write.ts';
import { planInsert } from '../insert-entry.ts';
import { madePublic, newOutcomeSteps, requireDraftAlone } from '../publication.ts';
import { planUpdate } from '../update-entry.ts';
import { answeredPlan } from '../write-entry.ts';
import { type Issue, ValidationError } from '../../contract/errors.ts';
import { copyAttributes } from '../../content/localization/share-attributes.ts';
import {
  type NamedAttribute,
  repeatedAttributes,
  sharedAttributes,
} from '../../content/localization/shared-attributes.ts';
import { withUidValues } from '../uid-value.ts';
import { refuseTaken, takenInFor } from '../unique.ts';

/** A request for a locale that the entry does not have yet. */
export interface NewLocale extends WriteRequest {
  readonly locale: string;
  /** Whether it is a draft if the data does not specify it. */
  readonly draft: boolean;
}

/** An entry of a localized type, represented by one of its locales. */
interface Source extends StoredEntry {
  readonly localization: Localization;
}

/** The shared attributes that the new locale takes from the others, because its data does not contain them. */
interface Inherited {
  readonly attributes: readonly NamedAttribute[];
  readonly draft: boolean;
  /** The values in its data. */
  readonly sent: Values;
}

/** Splits values into those of shared attributes and the others. */
function divide(type: ContentType, values: Values): { readonly shared: Values; readonly own: Values } {
  const names = new Set(sharedAttributes(type).map(([name]) => name));
  const entries = Object.entries(values);
  return {
    shared: Object.fromEntries(entries.filter(([name]) => names.has(name))),
    own: Object.fromEntries(entries.filter(([name]) => !names.has(name))),
  };
}

function without(values: Values, attributes: readonly NamedAttribute[]): Values {
  const names = new Set(attributes.map(([name]) => name));
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.has(name)));
}

/** The inherited values. Throws StaleEntryError if the source is gone, ValidationError if they are incomplete. */
async function inherit(
  executor: Executor,
  context: TypeContext,
  source: Source,
  { attributes, draft, sent }: Inherited,
): Promise<Values> {
  if (attributes.length === 0) return {};
  const found = await checkCompleteness(executor, context, source.id, { attributes, lock: true, sent });
  if (!found) throw new StaleEntryError();
  if (!draft && found.issues.length > 0) throw new ValidationError(found.issues);
  return found.values;
}

/** The new locale's own values. Throws ValidationError with all invalid paths. */
async function checkLocale(
  context: TypeContext,
  source: Source,
  write: NewLocale,
  inherited: Inherited,
): Promise<EntryInput> {
  const { database } = context;
  const { data, locale, client } = write;
  const { draft, attributes } = inherited;
  const { documentId, othersPublished } = source.localization;
  const { values, issues } = await checkData(context, {
    data,
    operation: 'create',
    draft,
    othersPublished: source.published || othersPublished,
    notWritable: notWritableOf(write),
    stored: await storedConditions(database, context, source.id, {
      data: sentValues(data),
      inherits: true,
    }),
  });
  const names = new Set(attributes.map(([name]) => name));
  const own: Issue[] = issues.filter(({ path }) => !names.has(path[0] ?? ''));
  if (own.length > 0 && !draft && attributes.length > 0) {
    const found = await checkCompleteness(database, context, source.id, {
      attributes,
      lock: false,
      sent: sentValues(data),
    });
    own.push(...(found?.issues ?? []));
  }
  const documentLocale = { locale, documentId };
  const state = draft ? { publishedAt: null } : {};
  const added = await addedValues(context, write);
  const checked = {
    values: { ...without(values, attributes), ...added.values, ...documentLocale, ...state },
    issues: [...own, ...added.issues],
  };
  return requireValid(context, checked, { self: documentLocale, client, takenIn: takenInFor(write, draft) });
}

/**
 * Inserts a further locale of the entry `stored`, with the attributes shared by all its locales. Throws ValidationError;
 * UniqueViolation of `document_id` if the entry already has the locale; and StaleEntryError if the row of `stored` is gone.
 */
export async function createLocale(context: TypeContext, stored: StoredEntry, request: NewLocale): Promise<ReadEntry> {
  const { types, type } = context;
  const { localization } = stored;
  if (!localization) throw new Error(`${type.uid} is not localized`);
  const source: Source = { ...stored, localization };
  const { data, caller, checked, locale, trusts } = request;
  const inherited = {
    attributes: notSent(sharedAttributes(type), data),
    draft: willBeDraft(type, data, request.draft && type.draftAndPublish),
    sent: sentValues(data),
  };
  requireDraftAlone(type, request, inherited.draft);
  const input = await checkLocale(context, source, request, inherited);
  const self = { locale, documentId: localization.documentId };
  const name = type.kind === 'singleType' ? 'afterUpdate' : 'afterCreate';
  return runWrite(context, { call: request, written: { input, self } }, async (tx, run) => {
    const write = { tx, types, type, caller, reach: run.reach, trusts };
    const values = await inherit(tx, context, source, inherited);
    const known = { ...values, ...input };
    const completed = inherited.draft ? input : await withUidValues(tx, type, input, known, { row: source.id });
    const { shared, own } = divide(type, completed);
    // A change of a relation applies to the list that all locales share, so that is copied first.
    const copied = repeatedAttributes(type).filter(
      ([attribute, value]) => isLinkAttribute(value) || valueOf(shared, attribute) === undefined,
    );
    await refuseTaken(tx, context, request, { input: completed, self });
    const { id, ...planned } = await planInsert(write, own, { known: { ...known, ...completed } });
    const copy = (later: Transaction): Promise<readonly Step[]> =>
      copyAttributes({ tx: later, types, type }, { from: source.id, to: [id.value], attributes: copied });
    const change = async (later: Transaction): Promise<readonly Step[]> => {
      const row = {
        id: id.value,
        version: undefined,
        published: !inherited.draft,
        localization: { ...localization, locale },
      };
      return (await planUpdate({ ...write, tx: later }, row, shared)).steps;
    };
    const changes = Object.keys(shared).length > 0 ? [change] : [];
    const { draft } = inherited;
    const furtherLocale = { documentId: localization.documentId, changesShared: changes.length > 0 };
    const published = await newOutcomeSteps(tx, context, id, { draft, furtherLocale });
    const after = run.hooks(name, { action: request.action, isNew: true }).after(id);
    const steps = [...planned.steps, copy, ...changes, ...published, ...after];
    const subject = { ...planned.subject, ...madePublic(type, draft) };
    return answeredPlan({ ...planned, id, subject, steps }, draft ? checked.entry : checked.published());
  });
}
