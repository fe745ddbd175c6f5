/** Decides whether saves without a response were stored, by what the server has stored since. */
import { attributeType } from '../../../runtime/src/contract/attribute-types/scalar-type.ts';
import { type Attribute, type Attributes, type ContentType, isScalar, isWritable } from '../model/model.ts';
import type { ModelIndex } from '../model/model-context.tsx';
import { newValues } from '../rest/form-values.ts';
import { areStored, isStored } from '../rest/is-stored.ts';
import { isSame } from '../rest/same-value.ts';
import type { LoadedEntry } from './load-entry.ts';
import type { Attempt, Saved } from './save-entry.ts';

/** `changed`: someone else has saved another version. `unclear`: what was read neither proves nor disproves that the entry exists. */
export type Outcome =
  | { readonly kind: 'saved'; readonly attempt: Attempt; readonly saved: Saved }
  | { readonly kind: 'not-saved' | 'changed' | 'unclear' };

/** How many entries are compared with a new one. */
export const MAX_COMPARED = 10;

/** What attempts are compared with. */
interface Comparison {
  readonly type: Pick<ContentType, 'attributes'>;
  readonly index: ModelIndex;
}

/** The version that an ETag starts with. Only the server can read it, but equal ones are the same version. */
function versionOf(etag: string | undefined): string | undefined {
  return /"(?<version>[\w-]+)/u.exec(etag ?? '')?.groups?.['version'];
}

function sentAttributes({ data }: Attempt, { type }: Comparison): Attributes {
  return Object.fromEntries(Object.entries(type.attributes).filter(([name]) => Object.hasOwn(data, name)));
}

function hasStored(attempt: Attempt, entry: LoadedEntry, isCreated: boolean, comparison: Comparison): boolean {
  const { type, index } = comparison;
  const sent = sentAttributes(attempt, comparison);
  const isHidden = (name: string): boolean => entry.values[name] === undefined;
  // Where a sent value can't be read, such as a password, nothing else may have changed either.
  const compared = Object.keys(sent).some(isHidden)
    ? Object.fromEntries(Object.entries(type.attributes).filter(([, attribute]) => isWritable(attribute)))
    : sent;
  return (
    isStored({ type: 'datetime' }, attempt.data['publishedAt'], entry.publishedAt, index) &&
    areStored(compared, attempt.values, entry.values, index, isCreated)
  );
}

/** The outcome of attempts to update an entry, of which at most one was stored. `entry`: as it is now; null if there is none. */
export function updateOutcome(
  attempts: readonly Attempt[],
  entry: LoadedEntry | null,
  comparison: Comparison,
): Outcome {
  if (!entry) return { kind: 'not-saved' };
  const version = versionOf(entry.etag);
  // If someone else has saved the same values since, nothing of the attempt is missing either.
  const attempt = attempts.findLast(
    (one) => version !== versionOf(one.base) && hasStored(one, entry, false, comparison),
  );
  if (attempt) return { kind: 'saved', attempt, saved: { id: entry.id, entry } };
  return { kind: version === versionOf(attempts.at(-1)?.base) ? 'not-saved' : 'changed' };
}

/** Whether an attempt can be told from other new entries: one of its values is readable, and not the default. */
function hasOwnValue(attempt: Attempt, entry: LoadedEntry, comparison: Comparison): boolean {
  return Object.entries(newValues(sentAttributes(attempt, comparison))).some(
    ([name, unset]) => entry.values[name] !== undefined && !isSame(attempt.values[name], unset),
  );
}

function isText(attribute: Attribute): boolean {
  return isScalar(attribute) && attribute.enum === undefined && attributeType(attribute.type).operators === 'text';
}

/** Whether an entry shares none of several texts with an attempt. A single text may have been changed by a hook. */
function isOther(attempt: Attempt, entry: LoadedEntry, comparison: Comparison): boolean {
  const texts = Object.entries(sentAttributes(attempt, comparison)).filter(
    ([name, attribute]) => isText(attribute) && typeof attempt.values[name] === 'string',
  );
  return (
    texts.length > 1 &&
    texts.every(([name, attribute]) => !isStored(attribute, attempt.values[name], entry.values[name], comparison.index))
  );
}

/**
 * The outcome of attempts to create an entry, of which at most one was stored. `entries`: those created since, the oldest first, at
 * most `MAX_COMPARED`, as an entry of these attempts is among the first ones.
 */
export function createOutcome(
  attempts: readonly Attempt[],
  entries: readonly LoadedEntry[],
  comparison: Comparison,
): Outcome {
  const [found, ...more] = entries.flatMap((entry) => {
    const attempt = attempts.findLast(
      (one) => hasOwnValue(one, entry, comparison) && hasStored(one, entry, true, comparison),
    );
    return attempt ? [{ attempt, saved: { id: entry.id } }] : [];
  });
  if (found && more.length === 0) return { kind: 'saved', ...found };
  const areOthers =
    entries.length < MAX_COMPARED &&
    entries.every((entry) => attempts.every((attempt) => isOther(attempt, entry, comparison)));
  return { kind: areOthers ? 'not-saved' : 'unclear' };
}
