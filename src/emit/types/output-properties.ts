/** Attributes as properties of responses. */
import { attributeType } from '#contract/attribute-types/scalar-type.ts';
import { isPolymorphic } from '#contract/content-type.ts';
import { typeName } from '#contract/type-name.ts';
import { customUserAttributes } from '../../model/built-in-types.ts';
import type { Attribute, ContentType, RelationAttribute } from '../../model/content-model.ts';
import { docText, propertyKey, tsString } from '../escape.ts';
import type { TsProperty } from '../ts-module.ts';
import { alternatives, listOf } from './alternatives.ts';
import { scalarOutput } from './scalar-types.ts';
import type { Home } from '../generated-paths.ts';
import type { TypeScope } from './type-scope.ts';

function isSecret(attribute: Attribute): boolean {
  return attribute.kind === 'scalar' && attributeType(attribute.type).isSecret === true;
}

/** Private attributes and passwords never appear in responses. */
export function isVisible(attribute: Attribute): boolean {
  return !attribute.private && !isSecret(attribute);
}

/** The attributes that only the server's own code reads. Those with which the server keeps accounts are none of them. */
export function privateAttributes(type: ContentType): readonly Attribute[] {
  const own = type.builtIn ? customUserAttributes(type) : type.attributes;
  return own.filter((attribute) => attribute.private && !isSecret(attribute));
}

/** The doc comment of a property, if the schema describes it. */
export function docOf(text: string | undefined): { doc: string } | undefined {
  const doc = docText(text ?? '');
  return doc === '' ? undefined : { doc };
}

/** The doc comment of an attribute: its display name and its description, if the schema has them. */
export function docOfAttribute({ displayName, description }: Attribute): { doc: string } | undefined {
  return docOf([displayName, description].filter((text) => text !== undefined).join('\n'));
}

function relationTarget(attribute: RelationAttribute, scope: TypeScope): string {
  const [only, ...others] = attribute.targets;
  if (only !== undefined && others.length === 0 && !isPolymorphic(attribute.relation)) return scope.populated(only);
  return alternatives(
    attribute.targets.map(
      (uid) => `${scope.populated(uid)} & { readonly attributes: { readonly __type: ${tsString(typeName(uid))} } }`,
    ),
  );
}

function populatedType(attribute: Exclude<Attribute, { kind: 'scalar' }>, scope: TypeScope): string {
  switch (attribute.kind) {
    case 'relation':
      return `${scope.runtime(attribute.many ? 'ToMany' : 'ToOne')}<${relationTarget(attribute, scope)}>`;
    case 'media':
      return `${scope.runtime(attribute.multiple ? 'ToMany' : 'ToOne')}<${scope.populated('file')}>`;
    case 'component': {
      const item = scope.component(attribute.component, 'output');
      return attribute.repeatable ? `readonly ${item}[]` : `${item} | null`;
    }
    case 'dynamiczone': {
      const items = attribute.components.map(
        (uid) => `${scope.component(uid, 'output')} & { readonly __component: ${tsString(uid)} }`,
      );
      return listOf(items);
    }
  }
}

/** The scalar attributes of a response. `alwaysSet`: required ones are never null, since there are no drafts. */
export function scalarProperties(attributes: readonly Attribute[], alwaysSet: boolean): TsProperty[] {
  return attributes.filter(isVisible).flatMap((attribute) => {
    if (attribute.kind !== 'scalar') return [];
    const type = scalarOutput(attribute);
    const nullable = !(attribute.required && alwaysSet) && type !== 'unknown';
    return [
      {
        key: propertyKey(attribute.name),
        type: nullable ? `${type} | null` : type,
        optional: false,
        ...docOfAttribute(attribute),
      },
    ];
  });
}

/** The attributes that a response contains only if they were populated. */
export function populatedProperties(attributes: readonly Attribute[], scope: TypeScope): TsProperty[] {
  return attributes.filter(isVisible).flatMap((attribute) => {
    if (attribute.kind === 'scalar') return [];
    return [
      {
        key: propertyKey(attribute.name),
        type: populatedType(attribute, scope),
        optional: true,
        ...docOfAttribute(attribute),
      },
    ];
  });
}

function property(key: string, type: string): TsProperty {
  return { key, type, optional: false };
}

/** The id of an entry in the v5 format. */
export function documentProperties({ documentIds }: ContentType, home: Home): TsProperty[] {
  return home === 'documents' && documentIds ? [property('documentId', 'string')] : [];
}

/** The publication time; in the v5 format, every entry has one. */
function publishedProperties({ draftAndPublish }: ContentType, home: Home): TsProperty[] {
  if (draftAndPublish) return [property('publishedAt', 'string | null')];
  return home === 'documents' ? [property('publishedAt', 'string')] : [];
}

/** Properties that the server adds to the attributes of an entry. */
export function systemProperties(type: ContentType, home: Home, locales: readonly string[]): TsProperty[] {
  return [
    property('createdAt', 'string'),
    property('updatedAt', 'string'),
    ...publishedProperties(type, home),
    ...(type.localized ? [property('locale', locales.map(tsString).join(' | '))] : []),
  ];
}
