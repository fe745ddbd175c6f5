/** The types that the components of a content type point to. */
import type { Attribute, Component, ContentModel, ContentType } from '../model/content-model.ts';

/** The built-in type that media attributes point to. */
export const FILE_TYPE = 'file';

function componentsOf(attribute: Attribute): readonly string[] {
  switch (attribute.kind) {
    case 'component':
      return [attribute.component];
    case 'dynamiczone':
      return attribute.components;
    case 'scalar':
    case 'media':
    case 'relation':
      return [];
  }
}

function targetsOf(attribute: Attribute): readonly string[] {
  switch (attribute.kind) {
    case 'media':
      return [FILE_TYPE];
    case 'relation':
      return attribute.targets;
    case 'scalar':
    case 'component':
    case 'dynamiczone':
      return [];
  }
}

function componentsInside(model: ContentModel, type: ContentType): readonly Component[] {
  const byUid = new Map(model.components.map((component) => [component.uid, component]));
  const found = new Map<string, Component>();
  const open = type.attributes.flatMap(componentsOf);
  for (let uid = open.pop(); uid !== undefined; uid = open.pop()) {
    if (found.has(uid)) continue;
    const component = byUid.get(uid);
    if (!component) throw new Error(`the content model has no component ${uid}`);
    found.set(uid, component);
    open.push(...component.attributes.flatMap(componentsOf));
  }
  return [...found.values()];
}

/** The uids of all types that relations and media inside a type's components and zones point to; sorted. */
export function componentTargets(model: ContentModel, type: ContentType): readonly string[] {
  const inside = componentsInside(model, type).flatMap((component) => component.attributes);
  // `sort` compares UTF-16 code units by default; uids are ASCII.
  return [...new Set(inside.flatMap(targetsOf))].sort();
}
