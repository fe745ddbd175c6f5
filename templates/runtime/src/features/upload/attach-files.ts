/** Attaches uploads to a media attribute of an existing entry: `ref`, `refId`, `field`. */
import type { ContentType, ContentTypes, MediaAttribute } from '../../contract/content-type.ts';
import { sql } from '../../database/sql.ts';
import { NotFoundError, ValidationError } from '../../contract/errors.ts';
import { parseEntryKey } from '../../http/entry-id.ts';
import type { Executor } from '../../database/executor.ts';
import { type Reached, saveThrough } from '../../entries/door.ts';
import { callHook, copyCallContext } from '../../entries/hooks.ts';
import type { EntryInput } from '../../entries/context.ts';
import { checkAdded } from '../../entries/other-sides.ts';
import { attributeRule, mayName, trusting, valuesOfUpdate } from '../../entries/rules/ruled-data.ts';
import { outcomeSteps } from '../../entries/publication.ts';
import { findEntry } from '../../entries/stored-entry.ts';
import type { Values } from '../../contract/item-attributes.ts';
import { explainedViolation } from '../../entries/unique.ts';
import { planUpdate } from '../../entries/update-entry.ts';
import type { Caller } from '../../contract/policy/caller.ts';
import { requireRight } from '../../contract/policy/rights.ts';
import { typeNamed } from '../../contract/type-name.ts';
import { requireAuthorityOver } from '../../access/user-authority.ts';
import { rowId } from '../../entries/documents/row-id.ts';
import type { EntryKey } from '../../query/entry-id.ts';
import { oneLocale, queryRules } from '../../query/query-rules.ts';
import type { QueryValue } from '../../query/query-value.ts';
import type { RelationChange, Target } from '../../content/relations/relation-change.ts';
import type { UploadContext } from './context.ts';
import { type AttachedUpdate, createFiles, type NewFiles } from './files-service.ts';
import type { FlatFile } from './flat-file.ts';
import { isAllowedIn } from '../../contract/file-kinds.ts';
import type { Form } from './multipart.ts';
import type { FileValues } from './store-files.ts';

/** The attribute to which an upload is attached. */
export interface Attachment {
  readonly type: ContentType;
  readonly key: EntryKey;
  /** The locale of a document. */
  readonly locale: string | undefined;
  readonly field: string;
  readonly attribute: MediaAttribute;
}

function invalid(path: string, message: string): ValidationError {
  return new ValidationError([{ path: [path], message }]);
}

type Fields = Pick<Form, 'fields'>;

function single(form: Fields, name: string): string | undefined {
  const values = form.fields.filter((field) => field.name === name).map(({ value }) => value);
  if (values.length > 1) throw invalid(name, `${name} is given more than once`);
  return values[0] === '' ? undefined : values[0];
}

function keyOf(refId: string, type: Pick<ContentType, 'documentIds'>): EntryKey {
  try {
    return parseEntryKey(refId, type);
  } catch (error) {
    if (error instanceof NotFoundError) throw invalid('refId', 'refId must be the id of an entry');
    throw error;
  }
}

function localeOf(types: ContentTypes, type: ContentType, value: QueryValue | undefined): string | undefined {
  const asked = oneLocale(queryRules('v5').locale(value, types, type));
  return asked?.kind === 'locale' ? asked.locale : types.locales[0];
}

/** Who attaches files, and how the request names entries. */
export interface Attacher {
  readonly caller: Caller;
  /** Whether by document ids, too. */
  readonly byDocument: boolean;
  /** The parameter `locale`. */
  readonly locale: QueryValue | undefined;
}

/**
 * The attachment that a form asks for; undefined if none. Throws ForbiddenError if the caller may not update entries of
 * that type, ValidationError if the type, the attribute or the id is invalid, BadRequestError for an invalid locale.
 */
export function attachmentOf(
  { types }: UploadContext,
  form: Fields,
  { caller, byDocument, locale }: Attacher,
): Attachment | undefined {
  const [ref, refId, field] = [single(form, 'ref'), single(form, 'refId'), single(form, 'field')];
  if (ref === undefined && refId === undefined && field === undefined) return undefined;
  if (ref === undefined || refId === undefined || field === undefined) {
    throw invalid(
      ref === undefined ? 'ref' : refId === undefined ? 'refId' : 'field',
      'ref, refId and field must be given together',
    );
  }
  const type = types.types[typeNamed(ref, Object.keys(types.types)) ?? ''];
  if (!type) throw invalid('ref', 'ref names no content type');
  requireRight(caller, 'attachedEntries', type.uid);
  const attribute = Object.hasOwn(type.attributes, field) ? type.attributes[field] : undefined;
  const rule = attributeRule(caller, 'update', type);
  const isOpen = attribute?.writable !== false && (!rule || mayName(rule, type, field));
  if (attribute?.type !== 'media' || !isOpen) {
    throw invalid('field', 'field names no media attribute');
  }
  const key = keyOf(refId, byDocument ? type : {});
  return { type, key, field, attribute, locale: typeof key === 'number' ? undefined : localeOf(types, type, locale) };
}

/** What a rule sets with each update. */
interface RuledValues {
  readonly set: Values;
  readonly input: EntryInput;
}

/** Throws ValidationError for files whose type the attribute does not allow. */
function checkAllowed({ attribute, field }: Attachment, files: readonly FileValues[]): void {
  const issues = files.flatMap(({ mime, name }, index) =>
    isAllowedIn(mime, attribute.allowedTypes)
      ? []
      : [{ path: ['files', String(index)], message: `${name} has a type that ${field} does not accept` }],
  );
  if (issues.length > 0) throw new ValidationError(issues);
}

function changeBy({ attribute }: Attachment, ids: readonly number[]): RelationChange {
  const targets = ids.map((id, index): Target => ({ type: 'file', id, path: ['files', String(index)] }));
  if (!attribute.many) return { kind: 'set', targets: targets.slice(0, 1) };
  return {
    kind: 'change',
    connect: targets.map((target) => ({ ...target, position: { kind: 'end' } as const })),
    disconnect: [],
  };
}

/**
 * Stores files and attaches them to an entry, atomically: appends them to an attribute with `multiple`, otherwise sets the first one.
 * It is an update of the entry: `beforeUpdate` is called with empty data, since the files have no ids yet, and its errors are
 * rethrown.
 */
export async function attachFiles(
  context: UploadContext,
  to: Attachment,
  request: Omit<NewFiles, 'attached'>,
): Promise<FlatFile[]> {
  const { types, database, hookedOf } = context;
  const { call } = request;
  const { type, field } = to;
  const gone = (): Error => invalid('refId', `refId names no entry of ${type.uid}`);
  const hooked = hookedOf(type);
  const requireAuthority = async (executor: Executor, id: number): Promise<void> => {
    if (type.uid === 'user') await requireAuthorityOver(executor, call.caller, [id]);
  };
  const update = (id: number, { set, input }: RuledValues): AttachedUpdate => ({
    subject: { action: 'update', type: type.uid, id },
    check: (files) => checkAllowed(to, files),
    async steps(tx, { reach, hooks }, ids) {
      const stored = await findEntry(tx, type, sql`t.id = ${id}`);
      if (!stored) throw gone();
      await requireAuthority(tx, id);
      const trusts = trusting(set);
      const write = { tx, types, type, caller: call.caller, reach, ownFiles: new Set(ids), trusts };
      const values = { ...input, [field]: changeBy(to, ids) };
      // With other changes of the draft, it waits for them to be published.
      const isPublished = stored.published && stored.modified === false;
      const outcome = isPublished ? 'published' : undefined;
      const { row, steps } = await planUpdate(write, stored, values, { isUnmodified: isPublished });
      const published = await outcomeSteps(tx, hooked, stored, { outcome, input: values });
      const attached = steps.map((step) =>
        step === row ? { ...row, ...(row.noRowError && { noRowError: gone }) } : step,
      );
      const own = hooks('afterUpdate', { of: hooked });
      return [...own.before(id), ...attached, ...published, ...own.after(id)];
    },
    explained: (error) => explainedViolation(error, { types, type, input: { [field]: null } }),
  });
  const { entry } = await saveThrough<undefined, Reached & { readonly row: number }, number, FlatFile[]>(hooked, call, {
    read: () => Promise.resolve(undefined),
    resolve: async () => ({ row: await rowId(database, type, to.key, to.locale) }),
    hidden: gone,
    action: () => 'update',
    authorize: ({ row }) => requireAuthority(database, row),
    async prepare({ row: id }) {
      if (hooked.hooks?.beforeUpdate) {
        if (!(await findEntry(database, type, sql`t.id = ${id}`))) throw gone();
        await callHook(hooked.hooks, 'beforeUpdate', { ...copyCallContext(call), id, data: {} });
      }
      return id;
    },
    async write(_, id) {
      const set = await valuesOfUpdate(hooked, call.caller);
      const input = await checkAdded({ context: hooked, id }, set);
      return createFiles(context, { ...request, attached: update(id, { set, input }) });
    },
  });
  return entry;
}
