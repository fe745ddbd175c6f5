/** What rules may name: the types of a server and their attributes, as the schema or the descriptors of a server say. */
import { attributeType, type ScalarType } from '../attribute-types/scalar-type.ts';
import type { Attribute, Component, ContentType, ContentTypes } from '../content-type.ts';
import { USER_ATTRIBUTES } from '../user-attributes.ts';

export type RuleAttribute =
  | { readonly kind: 'scalar'; readonly type: ScalarType; readonly enum?: readonly string[] | undefined }
  /** `media`: to files, which only uploads change. */
  | { readonly kind: 'relation'; readonly target: string; readonly many: boolean; readonly media?: boolean }
  | { readonly kind: 'component'; readonly component: string; readonly repeatable: boolean }
  /** Polymorphic relations and dynamic zones, by which nothing can be filtered. */
  | { readonly kind: 'other' };

/** A type or a component. */
export interface RuleOwner {
  readonly uid: string;
  /** Its own attributes. Those with which the server keeps secrets of accounts are left out. */
  readonly attributes: ReadonlyMap<string, RuleAttribute>;
  /** What the server adds to each entry: `id`, `createdAt`, … */
  readonly system: ReadonlyMap<string, RuleAttribute>;
}

export interface RuleTypes {
  type(uid: string): RuleOwner | undefined;
  component(uid: string): RuleOwner | undefined;
}

function scalar(type: ScalarType): RuleAttribute {
  return { kind: 'scalar', type };
}

/** What a type has besides its own attributes. */
export function systemAttributes(
  type: Pick<ContentType, 'uid' | 'draftAndPublish' | 'localized'> & { readonly documentIds?: boolean | undefined },
): ReadonlyMap<string, RuleAttribute> {
  const { uid, documentIds = false, draftAndPublish, localized } = type;
  return new Map<string, RuleAttribute>([
    ['id', scalar('biginteger')],
    ...(documentIds ? [['documentId', scalar('string')] as const] : []),
    ['createdAt', scalar('datetime')],
    ['updatedAt', scalar('datetime')],
    ...(draftAndPublish ? [['publishedAt', scalar('datetime')] as const] : []),
    ...(localized ? [['locale', scalar('string')] as const] : []),
    ...(localized ? [['localizations', { kind: 'relation', target: uid, many: true } as const] as const] : []),
  ]);
}

/** Whether an attribute holds a secret: no rule may name it. */
export function isSecretAttribute(
  uid: string,
  name: string,
  attribute: { readonly type?: ScalarType; readonly private?: boolean | undefined },
): boolean {
  if (attribute.type !== undefined && attributeType(attribute.type).isSecret) return true;
  return uid === 'user' && attribute.private === true && USER_ATTRIBUTES.has(name);
}

function ruleAttribute(uid: string, name: string, attribute: Attribute): readonly (readonly [string, RuleAttribute])[] {
  switch (attribute.type) {
    case 'relation': {
      const { target, many } = attribute;
      return [[name, target === undefined ? { kind: 'other' } : { kind: 'relation', target, many }]];
    }
    case 'media':
      return [[name, { kind: 'relation', target: 'file', many: attribute.many, media: true }]];
    case 'component': {
      const { component, repeatable } = attribute;
      return [[name, { kind: 'component', component, repeatable }]];
    }
    case 'dynamiczone':
      return [[name, { kind: 'other' }]];
    default: {
      const { type } = attribute;
      if (isSecretAttribute(uid, name, { type, private: attribute.private })) return [];
      return [[name, { kind: 'scalar', type, enum: attribute.enum }]];
    }
  }
}

function ownerOf({ uid, attributes }: ContentType | Component, system: RuleOwner['system']): RuleOwner {
  const own = Object.entries(attributes).flatMap(([name, attribute]) => ruleAttribute(uid, name, attribute));
  return { uid, attributes: new Map(own), system };
}

const OF_ITEMS: RuleOwner['system'] = new Map([['id', scalar('biginteger')]]);

/** What the rules of roles that change at run time may name. */
export function ruleTypes({ types, components }: ContentTypes): RuleTypes {
  const typed = (uid: string): ContentType | undefined => (Object.hasOwn(types, uid) ? types[uid] : undefined);
  return {
    type(uid) {
      const type = typed(uid);
      return type && ownerOf(type, systemAttributes(type));
    },
    component(uid) {
      const component = Object.hasOwn(components, uid) ? components[uid] : undefined;
      return component && ownerOf(component, OF_ITEMS);
    },
  };
}
