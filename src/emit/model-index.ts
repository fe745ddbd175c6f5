/** The content model, to be looked things up in. */
import type { Attribute, Component, ContentModel, ContentType } from '../model/content-model.ts';

/** Finds content types and components by uid. */
export interface ModelIndex {
  readonly types: ReadonlyMap<string, ContentType>;
  readonly components: ReadonlyMap<string, Component>;
  /** Components that drafts can contain: what is required in them may be missing. */
  readonly draftComponents: ReadonlySet<string>;
}

function componentsOf(attributes: readonly Attribute[]): string[] {
  return attributes.flatMap((attribute) => {
    if (attribute.kind === 'component') return [attribute.component];
    return attribute.kind === 'dynamiczone' ? attribute.components : [];
  });
}

function draftComponents(model: ContentModel, components: ReadonlyMap<string, Component>): ReadonlySet<string> {
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

export function indexModel(model: ContentModel): ModelIndex {
  const components = new Map(model.components.map((component) => [component.uid, component]));
  return {
    types: new Map(model.contentTypes.map((type) => [type.uid, type])),
    components,
    draftComponents: draftComponents(model, components),
  };
}

/** What a uid stands for. Throws for one that the model does not hold: a defect of an earlier stage. */
export function lookUp<T>(map: ReadonlyMap<string, T>, uid: string): T {
  const value = map.get(uid);
  if (value === undefined)
    throw new Error(`The content model refers to ${JSON.stringify(uid)}, which it does not hold`);
  return value;
}
