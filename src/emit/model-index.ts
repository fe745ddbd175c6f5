/** Look-ups in the content model. */
import type { Attribute, ContentModel } from '../model/content-model.ts';

function componentsOf(attributes: readonly Attribute[]): string[] {
  return attributes.flatMap((attribute) => {
    if (attribute.kind === 'component') return [attribute.component];
    return attribute.kind === 'dynamiczone' ? attribute.components : [];
  });
}

/** The uids of components that drafts can contain, whose required attributes may therefore be missing. */
export function draftComponents(model: Pick<ContentModel, 'contentTypes' | 'components'>): ReadonlySet<string> {
  const components = new Map(model.components.map((component) => [component.uid, component]));
  const found = new Set<string>();
  const open = model.contentTypes
    .filter((type) => type.draftAndPublish)
    .flatMap((type) => componentsOf(type.attributes));
  for (let uid = open.pop(); uid !== undefined; uid = open.pop()) {
    if (found.has(uid)) continue;
    found.add(uid);
    open.push(...componentsOf(components.get(uid)?.attributes ?? []));
  }
  return found;
}

/** The value for a uid. Throws if there is none: a defect of an earlier stage. */
export function lookUp<T>(map: ReadonlyMap<string, T>, uid: string): T {
  const value = map.get(uid);
  if (value === undefined) {
    throw new Error(`The content model refers to ${JSON.stringify(uid)}, which it does not hold`);
  }
  return value;
}
