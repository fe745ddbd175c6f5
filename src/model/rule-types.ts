/** What rules of permissions may name, as the schema says. */
import {
  isSecretAttribute,
  type RuleAttribute,
  type RuleOwner,
  type RuleTypes,
  systemAttributes,
} from '#contract/policy/rule-types.ts';
import { isPolymorphic } from '#contract/content-type.ts';
import type { Attribute, Component, ContentType } from './content-model.ts';

function ruleAttribute(uid: string, attribute: Attribute): RuleAttribute | undefined {
  switch (attribute.kind) {
    case 'scalar':
      return isSecretAttribute(uid, attribute.name, attribute)
        ? undefined
        : { kind: 'scalar', type: attribute.type, enum: attribute.enum };
    case 'media':
      return { kind: 'relation', target: 'file', many: attribute.multiple, media: true };
    case 'component':
      return { kind: 'component', component: attribute.component, repeatable: attribute.repeatable };
    case 'dynamiczone':
      return { kind: 'other' };
    case 'relation': {
      const [target] = attribute.targets;
      const isOne = target !== undefined && !isPolymorphic(attribute.relation);
      return isOne ? { kind: 'relation', target, many: attribute.many } : { kind: 'other' };
    }
  }
}

function ownerOf({ uid, attributes }: ContentType | Component, system: RuleOwner['system']): RuleOwner {
  const own = attributes.flatMap((attribute): [string, RuleAttribute][] => {
    const found = ruleAttribute(uid, attribute);
    return found ? [[attribute.name, found]] : [];
  });
  return { uid, attributes: new Map(own), system };
}

const OF_ITEMS: RuleOwner['system'] = new Map([['id', { kind: 'scalar', type: 'biginteger' }]]);

/** The types and components of a model as rules see them. */
export function ruleTypesOf(contentTypes: readonly ContentType[], components: readonly Component[]): RuleTypes {
  const types = new Map(contentTypes.map((type) => [type.uid, ownerOf(type, systemAttributes(type))]));
  const parts = new Map(components.map((component) => [component.uid, ownerOf(component, OF_ITEMS)]));
  return { type: (uid) => types.get(uid), component: (uid) => parts.get(uid) };
}
