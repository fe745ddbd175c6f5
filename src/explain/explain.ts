/**
 * What becomes of a type or attribute of the schema: its storage, its routes, the roles that may use them, and example
 * requests.
 */
import { suggestion } from '../diagnostics/suggest.ts';
import type { Attribute, ContentModel, ContentType } from '../model/content-model.ts';
import type { StorageModel } from '../storage/storage-model.ts';
import { explainAccess } from './explain-access.ts';
import { explainRequests } from './explain-requests.ts';
import { attributeStorage, typeStorage } from './explain-storage.ts';
import type { Section } from './section.ts';
import { describeAttribute, describeType } from './describe.ts';

export interface Explained {
  readonly model: ContentModel;
  readonly storage: StorageModel;
}

/** `sections` is undefined if the name does not exist; `hint` then suggests existing names. */
export type Explanation =
  { readonly sections: readonly Section[] } | { readonly sections: undefined; readonly hint: string | undefined };

/** Explains `name`: `article` or `article.tags`. A type may also be given by its plural. */
export function explain(models: Explained, name: string): Explanation {
  const [uid = '', ...rest] = name.split('.');
  const { contentTypes } = models.model;
  const type = contentTypes.find((candidate) => candidate.uid === uid || candidate.pluralName === uid);
  if (type === undefined) {
    const places = placesOf(models.model, name);
    if (places !== undefined) return { sections: undefined, hint: places };
    return {
      sections: undefined,
      hint: suggestion(
        uid,
        contentTypes.map((each) => each.uid),
      ),
    };
  }
  if (rest.length === 0) return { sections: explainType(models, type) };
  const attribute = type.attributes.find((candidate) => candidate.name === rest.join('.'));
  if (attribute !== undefined) return { sections: explainAttribute(models, type, attribute) };
  const near = suggestion(
    rest.join('.'),
    type.attributes.map((each) => each.name),
  );
  return { sections: undefined, hint: near };
}

/** Where a component is used; undefined if `name` is not a component. */
function placesOf({ contentTypes, components }: ContentModel, name: string): string | undefined {
  if (!components.some(({ uid }) => uid === name)) return undefined;
  const places = contentTypes.flatMap(({ uid, attributes }) =>
    attributes.filter((attribute) => holds(attribute, name)).map((attribute) => `\`${uid}.${attribute.name}\``),
  );
  if (places.length === 0) return 'this is a component that no content type uses directly';
  return `this is a component; explain an attribute that uses it: ${places.join(', ')}`;
}

function holds(attribute: Attribute, component: string): boolean {
  if (attribute.kind === 'component') return attribute.component === component;
  return attribute.kind === 'dynamiczone' && attribute.components.includes(component);
}

function explainType(models: Explained, type: ContentType): readonly Section[] {
  return [
    describeType(type),
    ...typeStorage(models, type),
    ...explainAccess(models.model, type),
    ...explainRequests(models.model, type),
  ];
}

function explainAttribute(models: Explained, type: ContentType, attribute: Attribute): readonly Section[] {
  return [
    describeAttribute(type, attribute),
    ...attributeStorage(models, type, attribute),
    ...explainAccess(models.model, type, attribute),
    ...explainRequests(models.model, type, attribute),
  ];
}
