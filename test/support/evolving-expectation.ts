/** The content that a migration should leave. */
import type { Attribute } from '../../src/model/content-model.ts';
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

function asInModel(models: Models, attributes: readonly Attribute[], entry: Entry, isItem: boolean): Entry {
  const system = Object.entries(entry).filter(
    ([name]) => name.startsWith('#') || name === 'id' || name === '__component',
  );
  const own = attributes.map((attribute): [string, unknown] => {
    const value = entry[attribute.name];
    if (value === undefined) {
      return [
        attribute.name,
        isItem && attribute.kind !== 'media' && attribute.kind !== 'relation' ? undefined : emptyValue(attribute),
      ];
    }
    return [attribute.name, valueInModel(models, attribute, value)];
  });
  return Object.fromEntries([...system, ...own].filter(([, value]) => value !== undefined));
}

function valueInModel(models: Models, attribute: Attribute, value: any): unknown {
  if (value === null || (attribute.kind !== 'component' && attribute.kind !== 'dynamiczone')) return value;
  const item = (one: any): Entry => {
    const uid = attribute.kind === 'component' ? attribute.component : one.__component;
    const component = models.model.components.find((candidate) => candidate.uid === uid);
    return asInModel(models, component?.attributes ?? [], one, true);
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
export function expectedContent(before: Content, models: Models, change: (content: Content) => void): Content {
  const content = structuredClone(before);
  change(content);
  fillRequired(content, models);
  const types = models.model.contentTypes.map((type): [string, Record<string, Entry>] => {
    const entries = Object.entries(content[type.uid] ?? {}).map(([id, entry]): [string, Entry] => {
      const kept = asInModel(models, type.attributes, entry, false);
      if (!type.localized && !type.documentIds) delete kept['#document'];
      if (!type.localized) delete kept['#locale'];
      if (!type.draftAndPublish) delete kept['#published'];
      return [id, kept];
    });
    return [type.uid, Object.fromEntries(entries)];
  });
  return { ...Object.fromEntries(types), '#actions': content['#actions'] ?? {} };
}
