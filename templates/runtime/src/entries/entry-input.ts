/** From the body's `data` to values that can be stored: validated, cast, passwords hashed. */
import { hashPasswords } from '../components/hash-passwords.ts';
import type { ContentType } from '../content-type.ts';
import { ValidationError } from '../errors.ts';
import type { Variant } from '../validators/index.ts';
import type { EntryInput, StoredEntry, TypeContext } from './context.ts';
import { takenAttributes, type Self } from './unique.ts';

function ownValue(data: unknown, key: string): unknown {
  return typeof data === 'object' && data !== null && Object.hasOwn(data, key)
    ? (data as Record<string, unknown>)[key]
    : undefined;
}

/** Whether the entry will be a draft: `stored` is its publication date, null for a draft, undefined for a new entry. */
export function willBeDraft(type: ContentType, data: unknown, stored: string | null | undefined): boolean {
  if (!type.draftAndPublish) return false;
  const given = ownValue(data, 'publishedAt');
  return given === undefined ? stored === null : given === null;
}

/** Checks `data`; what is wrong with it and what is taken by another entry are answered together. */
async function checkData(context: TypeContext, variant: Variant, data: unknown, self: Self): Promise<EntryInput> {
  const { database, types, type, validators } = context;
  const { values, issues } = validators.check(variant, data);
  if (issues.length === 0) return hashPasswords(types, type.attributes, values);
  throw new ValidationError([...issues, ...(await takenAttributes(database, type, values, self))]);
}

/** Throws ValidationError with all failing paths. */
export function checkNewEntry(context: TypeContext, data: unknown): Promise<EntryInput> {
  return checkData(context, willBeDraft(context.type, data, undefined) ? 'createDraft' : 'create', data, {});
}

/** Throws ValidationError with all failing paths. */
export function checkUpdate(context: TypeContext, { id, publishedAt }: StoredEntry, data: unknown): Promise<EntryInput> {
  return checkData(context, willBeDraft(context.type, data, publishedAt) ? 'updateDraft' : 'update', data, { id });
}
