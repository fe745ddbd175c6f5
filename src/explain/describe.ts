/** What a type or an attribute is, in a line or two. */
import type { Attribute, ContentType, RelationAttribute, ScalarAttribute } from '../model/content-model.ts';
import type { Section } from './section.ts';

function locationText({ location: { file, line, column } }: ContentType | Attribute): string {
  return `${file}:${line}:${column}`;
}

export function describeType(type: ContentType): Section {
  const words = [
    type.kind === 'singleType' ? 'single type' : 'collection type',
    ...(type.draftAndPublish ? ['with drafts'] : []),
    ...(type.localized ? ['localized'] : []),
    ...(type.builtIn ? ['built in'] : []),
  ];
  const rows = [
    [words.join(', ')],
    ...(type.description === undefined ? [] : [[type.description]]),
    ...(type.builtIn ? [] : [[`defined at ${locationText(type)}`]]),
  ];
  return { title: type.uid, rows };
}

export function describeAttribute(type: ContentType, attribute: Attribute): Section {
  const { required, writable, description } = attribute;
  const words = [
    kindOf(attribute),
    ...(required ? ['required'] : []),
    ...(attribute.private ? ['private: never in an answer'] : []),
    ...(writable ? [] : ['not writable: only hooks and the server set it']),
    ...(attribute.kind === 'scalar' ? rulesOf(attribute) : []),
    ...(type.localized ? [attribute.localized ? 'a value for each locale' : 'one value for all locales'] : []),
  ];
  const rows = [
    [words.join(', ')],
    ...(description === undefined ? [] : [[description]]),
    ...(type.builtIn ? [] : [[`defined at ${locationText(attribute)}`]]),
  ];
  return { title: `${type.uid}.${attribute.name}`, rows };
}

function kindOf(attribute: Attribute): string {
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

function rulesOf(attribute: ScalarAttribute): readonly string[] {
  const { unique, minLength, maxLength, regex, min, max, targetField } = attribute;
  return [
    ...(unique ? ['unique'] : []),
    ...(minLength === undefined ? [] : [`at least ${minLength} characters`]),
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
    ...(regex === undefined ? [] : [`matches ${regex}`]),
    ...(min === undefined ? [] : [`at least ${min}`]),
    ...(max === undefined ? [] : [`at most ${max}`]),
    ...(attribute.enum.length === 0 ? [] : [`one of ${attribute.enum.join(', ')}`]),
    ...(targetField === undefined ? [] : [`made from ${targetField} if required and not sent`]),
    ...(attribute.default === undefined ? [] : [`default ${JSON.stringify(attribute.default)}`]),
  ];
}
