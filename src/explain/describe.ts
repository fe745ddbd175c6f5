/** A one- or two-line description of a type or an attribute. */
import { describeRules, describeValue } from '../emit/describe-attribute.ts';
import type { Attribute, ContentType } from '../model/content-model.ts';
import type { Section } from './section.ts';

function locationText({ location: { file, line, column } }: ContentType | Attribute): string {
  return `${file}:${line}:${column}`;
}

/** The texts that the schema has for people. */
function aboutRows({ displayName, description }: ContentType | Attribute): string[][] {
  return [displayName, description].flatMap((text) => (text === undefined ? [] : [[text]]));
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
    ...aboutRows(type),
    ...(type.builtIn ? [] : [[`defined at ${locationText(type)}`]]),
  ];
  return { title: type.uid, rows };
}

export function describeAttribute(type: ContentType, attribute: Attribute): Section {
  const words = [
    describeValue(attribute),
    ...describeRules(attribute),
    ...(type.localized ? [attribute.localized ? 'a value for each locale' : 'one value for all locales'] : []),
  ];
  const rows = [
    [words.join(', ')],
    ...aboutRows(attribute),
    ...(type.builtIn ? [] : [[`defined at ${locationText(attribute)}`]]),
  ];
  return { title: `${type.uid}.${attribute.name}`, rows };
}
