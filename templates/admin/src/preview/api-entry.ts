/** Converts form values to an entry as the API answers it, with its sources. */
import { entrySource, itemSource, SOURCE } from '../../../runtime/src/contract/source-marks.ts';
import type { MediaFile } from '../media/media-file.ts';
import { type Attribute, type Attributes, type ContentType, isPolymorphic } from '../model/model.ts';
import type { ModelIndex } from '../model/model-context.tsx';
import { isVisible } from '../model/visibility.ts';
import type { EntryRef } from '../relations/entry-ref.ts';
import { lengthOf, type RelationList, slotAt } from '../relations/relation-list.ts';
import type { FormValues, ItemValues } from '../rest/form-values.ts';
import { isSame } from '../rest/same-value.ts';
import { keyOf } from './mark-path.ts';
import type { PreviewFormat } from './messages.ts';

/** At most as many entries of a changed list are shown. */
const MOST_RELATED = 100;

export interface Shown {
  readonly type: ContentType;
  readonly id: number;
  readonly documentId: string | undefined;
  readonly values: FormValues;
  /** The stored values. */
  readonly saved: FormValues;
  /** What every entry has, such as `updatedAt`. */
  readonly facts: Readonly<Record<string, unknown>>;
}

interface Context {
  readonly index: ModelIndex;
  readonly format: PreviewFormat;
  /** Whether there are sources. */
  readonly isMarked: boolean;
}

type Values = Record<string, unknown>;

function entryOf(id: number | string, attributes: Values, { format }: Context): Values {
  return format === 'v5' ? { id, ...attributes } : { id, attributes };
}

function related(data: unknown, { format }: Context): unknown {
  return format === 'v5' ? data : { data };
}

/** A related entry as far as the form knows it: its title. */
function refOf(ref: EntryRef, attribute: Attribute & { type: 'relation' }, context: Context): Values {
  const type = context.index.type(ref.type ?? attribute.target ?? '');
  const title = type && type.mainField !== 'id' ? { [type.mainField]: ref.title } : {};
  const source = type && context.isMarked ? { [SOURCE]: entrySource(type.uid, ref.id) } : {};
  return entryOf(ref.id, { ...(isPolymorphic(attribute) && { __type: type?.name }), ...title, ...source }, context);
}

/** The first entries of an edited list, as far as they have been read. */
function listed(list: RelationList): readonly EntryRef[] {
  const found: EntryRef[] = [];
  for (let at = 0; at < Math.min(lengthOf(list), MOST_RELATED); at += 1) {
    const slot = slotAt(list, at);
    const entry = slot?.kind === 'server' ? list.head[slot.index] : slot?.entry;
    if (entry) found.push(entry);
  }
  return found;
}

function relationValue(attribute: Attribute & { type: 'relation' }, value: unknown, context: Context): unknown {
  const ref = (one: EntryRef): Values => refOf(one, attribute, context);
  if (attribute.multiple) return related(listed(value as RelationList).map(ref), context);
  return related(value === null ? null : ref(value as EntryRef), context);
}

function fileOf({ id, ...file }: MediaFile, context: Context): Values {
  return entryOf(id, file, context);
}

/** An attribute of an entry or item. */
interface Place {
  readonly name: string;
  /** Of the entry or item. */
  readonly source: string | undefined;
  /** The stored value. */
  readonly saved: unknown;
}

function itemOf(uid: string, item: ItemValues, { name, source, saved }: Place, context: Context): Values {
  const own = source === undefined ? undefined : itemSource(source, name, keyOf(item));
  const before = [saved ?? []]
    .flat()
    .find((other) => keyOf(other as ItemValues) === keyOf(item) && item.id !== undefined);
  return {
    ...(item.id !== undefined && { id: item.id }),
    ...(item.__component !== undefined && { __component: item.__component }),
    ...attributesOf(context.index.component(uid).attributes, item, before as FormValues | undefined, own, context),
  };
}

function valueOf(attribute: Attribute, value: unknown, place: Place, context: Context): unknown {
  switch (attribute.type) {
    case 'media': {
      const files = Array.isArray(value)
        ? (value as MediaFile[]).map((file) => fileOf(file, context))
        : value && fileOf(value as MediaFile, context);
      return related(files, context);
    }
    case 'component': {
      const item = (one: unknown) => itemOf(attribute.component, one as ItemValues, place, context);
      return Array.isArray(value) ? value.map(item) : value && item(value);
    }
    case 'dynamiczone':
      return (value as ItemValues[]).map((item) => itemOf(String(item.__component), item, place, context));
    case 'relation':
      return relationValue(attribute, value, context);
    default:
      return value;
  }
}

/** Without what answers never have, and relations that the site knows from the API better. */
function attributesOf(
  attributes: Attributes,
  values: FormValues,
  saved: FormValues | undefined,
  source: string | undefined,
  context: Context,
): Values {
  const result: Values = {};
  for (const [name, attribute] of Object.entries(attributes)) {
    // The server keeps what is stored in attributes that are not visible.
    const isKept = saved === undefined || isVisible(attributes, name, (one) => values[one]);
    const value = (isKept ? values : saved)[name];
    if (value === undefined || attribute.private === true || attribute.type === 'password') continue;
    if (attribute.type === 'relation' && saved !== undefined && isSame(value, saved[name])) continue;
    result[name] = valueOf(attribute, value, { name, source, saved: saved?.[name] }, context);
  }
  return source === undefined ? result : { ...result, [SOURCE]: source };
}

/** Relations that have not changed are left out: the site has read them with more than their titles. */
export function apiEntry({ type, id, documentId, values, saved, facts }: Shown, context: Context): Values {
  const source = context.isMarked ? entrySource(type.uid, id) : undefined;
  const own = attributesOf(type.attributes, values, saved, source, context);
  const attributes = { ...facts, ...own };
  return entryOf(id, context.format === 'v5' && documentId ? { documentId, ...attributes } : attributes, context);
}
