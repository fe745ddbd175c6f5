/** The content that a migration should leave. */
import type { Attribute, Component } from '../../src/model/content-model.ts';
import type { Content, Entry } from './evolving-data.ts';
import type { Models } from './evolving-model.ts';

function emptyValue(attribute: Attribute): unknown {
  switch (attribute.kind) {
    case 'scalar':
      return attribute.default ?? null;
    case 'component':
    case 'dynamiczone':
      return null;
    case 'media':
    case 'relation':
      return [];
  }
}

/** The models before and after a change. */
interface Change {
  readonly former: Models;
  readonly models: Models;
}

/** What an item without a value gets for an attribute of its component: the default, if that is new or required. */
function missingValue({ former }: Change, { uid, renamedFrom }: Component, attribute: Attribute): unknown {
  if (attribute.kind !== 'scalar') return attribute.kind === 'component' ? undefined : [];
  const before = former.model.components.find((one) => one.uid === (renamedFrom ?? uid));
  const name = attribute.renamedFrom ?? attribute.name;
  const isNew = before?.attributes.every((one) => one.name !== name) ?? false;
  return attribute.required || isNew ? attribute.default : undefined;
}

function isSystem(name: string): boolean {
  return name.startsWith('#') || name === 'id' || name === '__component';
}

function asInModel(
  change: Change,
  attributes: readonly Attribute[],
  entry: Entry,
  missing: (attribute: Attribute) => unknown,
): Entry {
  const system = Object.entries(entry).filter(([name]) => isSystem(name));
  const own = attributes.map((attribute): [string, unknown] => {
    const value = entry[attribute.name];
    return [attribute.name, value === undefined ? missing(attribute) : valueInModel(change, attribute, value)];
  });
  return Object.fromEntries([...system, ...own].filter(([, value]) => value !== undefined));
}

function valueInModel(change: Change, attribute: Attribute, value: any): unknown {
  if (value === null || (attribute.kind !== 'component' && attribute.kind !== 'dynamiczone')) return value;
  const item = (one: any): Entry => {
    const uid = attribute.kind === 'component' ? attribute.component : one.__component;
    const component = change.models.model.components.find((candidate) => candidate.uid === uid);
    if (!component) throw new Error(`there is no component ${uid}`);
    return asInModel(change, component.attributes, one, (own) => missingValue(change, component, own));
  };
  return Array.isArray(value) ? value.map(item) : item(value);
}

/** Gives the default to all entries that lack a required value. Drafts may lack it. */
function fillRequired(content: Content, models: Models): void {
  for (const { uid, attributes, draftAndPublish } of models.model.contentTypes) {
    for (const entry of Object.values(content[uid] ?? {})) {
      if (draftAndPublish && entry['#published'] === false) continue;
      for (const attribute of attributes) {
        const isFilled = attribute.kind === 'scalar' && attribute.required && attribute.default !== undefined;
        if (isFilled && entry[attribute.name] === null) entry[attribute.name] = attribute.default;
      }
    }
  }
}

/** The content that a database should have after a schema change: the result of `change`, without what is no longer in the schema. */
export function expectedContent(
  before: Content,
  { former, models }: Change,
  change: (content: Content) => void,
): Content {
  const content = structuredClone(before);
  change(content);
  fillRequired(content, models);
  const types = models.model.contentTypes.map((type): [string, Record<string, Entry>] => {
    const entries = Object.entries(content[type.uid] ?? {}).map(([id, entry]): [string, Entry] => {
      const kept = asInModel({ former, models }, type.attributes, entry, emptyValue);
      if (!type.localized && !type.documentIds) delete kept['#document'];
      if (!type.localized) delete kept['#locale'];
      if (!type.draftAndPublish) delete kept['#published'];
      return [id, kept];
    });
    return [type.uid, Object.fromEntries(entries)];
  });
  return { ...Object.fromEntries(types), '#actions': content['#actions'] ?? {} };
}
