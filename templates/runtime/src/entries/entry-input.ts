/** From the body's `data` to values that can be stored: validated, cast, passwords hashed. */
import type { ContentType } from '../content-type.ts';
import { validate } from '../validators/index.ts';
import { hashPassword } from '../values/password.ts';
import type { TypeContext } from './context.ts';

/** Checked values by attribute: canonical scalars, relation changes; `publishedAt` and `locale` where the type has them. */
export type EntryInput = Readonly<Record<string, unknown>>;

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

async function hashPasswords(type: ContentType, input: EntryInput): Promise<EntryInput> {
  const hashed: Record<string, unknown> = { ...input };
  for (const [name, attribute] of Object.entries(type.attributes)) {
    const value = input[name];
    if (attribute.type === 'password' && typeof value === 'string') hashed[name] = await hashPassword(value);
  }
  return hashed;
}

/** Throws ValidationError with all failing paths. */
export async function checkNewEntry({ type, validators }: TypeContext, data: unknown): Promise<EntryInput> {
  const schema = willBeDraft(type, data, undefined) ? validators.createDraft : validators.create;
  return hashPasswords(type, validate(schema, data));
}

/** Throws ValidationError with all failing paths. `publishedAt` is the stored one. */
export async function checkUpdate(
  { type, validators }: TypeContext,
  data: unknown,
  publishedAt: string | null | undefined,
): Promise<EntryInput> {
  const schema = willBeDraft(type, data, publishedAt) ? validators.updateDraft : validators.update;
  return hashPasswords(type, validate(schema, data));
}
