/** Attributes as properties of `data` in requests. */
import { attributeType } from '#contract/attribute-types/scalar-type.ts';
import { isMorphInverse } from '#contract/content-type.ts';
import { CREATOR_FIELDS } from '#contract/creator-fields.ts';
import type { Attribute, ContentType } from '../../model/content-model.ts';
import { propertyKey, tsString } from '../escape.ts';
import type { TsProperty } from '../ts-module.ts';
import { listOf } from './alternatives.ts';
import { docOfAttribute } from './output-properties.ts';
import { presenceOf } from './presence.ts';
import { scalarInput } from './scalar-types.ts';
import type { TypeScope } from './type-scope.ts';

function valueType(attribute: Attribute, scope: TypeScope): string {
  switch (attribute.kind) {
    case 'scalar':
      return scalarInput(attribute);
    case 'relation':
    case 'media':
      return scope.relationInput();
    case 'component': {
      const item = scope.component(attribute.component, 'input');
      return attribute.repeatable ? `readonly ${item}[]` : item;
    }
    case 'dynamiczone': {
      const items = attribute.components.map(
        (uid) => `${scope.component(uid, 'input')} & { readonly __component: ${tsString(uid)} }`,
      );
      return listOf(items);
    }
  }
}

/** Whether the type of the value already includes `null`. */
function includesNull(attribute: Attribute): boolean {
  return (
    attribute.kind === 'relation' ||
    attribute.kind === 'media' ||
    (attribute.kind === 'scalar' && scalarInput(attribute) === 'unknown')
  );
}

/** How strict a request is about required attributes. */
export interface InputRules {
  /** They must be present. False for updates and for types with drafts. */
  readonly complete: boolean;
  /** They may be `null`, as in drafts. */
  readonly nullable: boolean;
}

function inputProperty(attribute: Attribute, scope: TypeScope, rules: InputRules): TsProperty {
  const type = valueType(attribute, scope);
  const { mustBeSent, nullable } = presenceOf(attribute);
  const takesNull = (nullable || rules.nullable) && !includesNull(attribute);
  return {
    key: propertyKey(attribute.name),
    type: takesNull ? `${type} | null` : type,
    optional: !(mustBeSent && rules.complete),
    ...(attribute.kind === 'scalar' && attributeType(attribute.type).isSecret && docOfAttribute(attribute)),
  };
}

/** The attributes that requests may set, including private ones and passwords. */
export function inputProperties(attributes: readonly Attribute[], scope: TypeScope, rules: InputRules): TsProperty[] {
  return attributes.filter(({ writable }) => writable).map((attribute) => inputProperty(attribute, scope, rules));
}

/**
 * Whether only hooks and the server's own code set an attribute. The inverse side of a polymorphic relation is never
 * set, and who has written an entry is not data.
 */
export function isServerOnly(attribute: Attribute): boolean {
  if (attribute.writable || CREATOR_FIELDS.has(attribute.name)) return false;
  return attribute.kind !== 'relation' || !isMorphInverse(attribute.relation);
}

/** The attributes that only hooks and the server's own code set. */
export function serverOnlyProperties(attributes: readonly Attribute[], scope: TypeScope): TsProperty[] {
  const rules = { complete: false, nullable: false };
  return attributes.filter(isServerOnly).map((attribute) => inputProperty(attribute, scope, rules));
}

/** Properties of a request other than attributes. `locale` only chooses the locale of a new entry. */
export function systemInputProperties(
  type: ContentType,
  request: 'create' | 'update',
  locales: readonly string[],
): TsProperty[] {
  return [
    ...(type.draftAndPublish ? [{ key: 'publishedAt', type: 'string | number | null', optional: true }] : []),
    ...(type.localized && request === 'create'
      ? [{ key: 'locale', type: locales.map(tsString).join(' | '), optional: true }]
      : []),
  ];
}
