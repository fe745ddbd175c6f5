/** Describes an attribute in words, for generated documents and the command line. */
import { enumText } from '#contract/attribute-types/enumeration.ts';
import { isMorphInverse } from '#contract/content-type.ts';
import { describeCondition, type Visibility } from '#contract/visibility.ts';
import type { Attribute, RelationAttribute, ScalarAttribute } from '../model/content-model.ts';

/** The type of its values. */
export function describeValue(attribute: Attribute): string {
  switch (attribute.kind) {
    case 'scalar':
      return attribute.type;
    case 'media':
      return attribute.multiple ? 'ordered list of files' : 'one file';
    case 'component':
      return `${attribute.repeatable ? 'ordered list of ' : ''}${attribute.component}`;
    case 'dynamiczone':
      return `ordered list of ${attribute.components.join(', ')}`;
    case 'relation':
      return relationOf(attribute);
  }
}

function relationOf({ relation, many, targets, inverse }: RelationAttribute): string {
  const target = targets.join(', ');
  const other = inverse === undefined ? 'no other side' : `the other side is ${target}.${inverse}`;
  return `${relation}: ${many ? 'an ordered list of' : 'one'} ${target}; ${other}`;
}

function scalarRules(attribute: ScalarAttribute): readonly string[] {
  const { unique, minLength, maxLength, regex, min, max, targetField } = attribute;
  return [
    ...(unique ? ['unique'] : []),
    ...(minLength === undefined ? [] : [`at least ${minLength} characters`]),
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
    ...(regex === undefined ? [] : [`matches ${regex}`]),
    ...(min === undefined ? [] : [`at least ${min}`]),
    ...(max === undefined ? [] : [`at most ${max}`]),
    ...(attribute.enum.length === 0 ? [] : [`one of ${enumText(attribute.enum)}`]),
    ...(targetField === undefined ? [] : [`derived from ${targetField} if required and not sent`]),
    ...(attribute.default === undefined ? [] : [`default ${JSON.stringify(attribute.default)}`]),
  ];
}

/** When an attribute takes a value, and whether one is required then. */
export function visibilityText(visible: Visibility): string {
  const condition = describeCondition(visible);
  return visible.required ? `required where ${condition}, otherwise not taken` : `only taken where ${condition}`;
}

function notWritable(attribute: Attribute): string {
  return attribute.kind === 'relation' && isMorphInverse(attribute.relation)
    ? `written through ${attribute.targets.join(', ')}.${attribute.inverse ?? ''}`
    : 'not writable: only hooks and the server set it';
}

/** Its constraints, and who may read and write it. */
export function describeRules(attribute: Attribute): readonly string[] {
  return [
    ...(attribute.required ? ['required'] : []),
    ...(attribute.visible ? [visibilityText(attribute.visible)] : []),
    ...(attribute.private ? ['private: never in a response'] : []),
    ...(attribute.writable ? [] : [notWritable(attribute)]),
    ...(attribute.kind === 'scalar' ? scalarRules(attribute) : []),
  ];
}
