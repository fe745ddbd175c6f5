/** `unique` of types: combinations of attributes that may occur only once. */
import { canBeIndexed } from '#contract/attribute-types/scalar-type.ts';
import { isPolymorphic } from '#contract/content-type.ts';
import { reportError } from '../diagnostics/report.ts';
import { suggestion } from '../diagnostics/suggest.ts';
import { named } from '../diagnostics/visible-text.ts';
import type { ContentTypeDefinition, Located } from '../schema/definition.ts';
import type { Attribute } from './content-model.ts';
import type { ModelContext } from './model-context.ts';

/** Maximum number of attributes in a combination. */
const MAX_ATTRIBUTES = 8;

type Combination = Located<readonly Located<string>[]>;

/** The names in `unique` of a type. */
export function uniqueNames({ unique }: ContentTypeDefinition): ReadonlySet<string> {
  return new Set(unique.flatMap(({ value }) => value.map((name) => name.value)));
}

/** Whether the attribute is a single comparable value in the entry's row. */
function canBePart(attribute: Attribute): boolean {
  if (attribute.kind === 'scalar') return canBeIndexed(attribute.type);
  return attribute.kind === 'relation' && attribute.owner && !attribute.many && !isPolymorphic(attribute.relation);
}

function reasonAgainst(attribute: Attribute | undefined): string {
  if (!attribute) return 'which it does not have';
  switch (attribute.kind) {
    case 'scalar':
      return `which has the type \`${attribute.type}\` and can't be compared`;
    case 'relation':
      return attribute.many ? 'which relates to many entries' : 'which is stored in another table';
    case 'media':
    case 'component':
    case 'dynamiczone':
      return 'which does not have a single comparable value';
  }
}

function checkPart(
  { report }: ModelContext,
  { uid }: ContentTypeDefinition,
  attributes: readonly Attribute[],
  { value, location }: Located<string>,
): void {
  const names = attributes.filter(canBePart).map(({ name }) => name);
  if (names.includes(value)) return;
  const known = attributes.find(({ name }) => name === value);
  reportError(report, {
    code: 'attribute/unique',
    message: `\`unique\` of ${named(uid)} contains ${named(value)}, ${reasonAgainst(known)}`,
    location,
    related: known && [{ message: 'it is defined here', location: known.location }],
    hint: suggestion(value, names) ?? 'use scalar attributes, and relations to one entry on their owning side',
  });
}

function checkCombination({ report }: ModelContext, { value, location }: Combination): void {
  const code = 'attribute/unique';
  const [only] = value;
  if (value.length < 2 || value.length > MAX_ATTRIBUTES) {
    const message = `a combination in \`unique\` must have 2 to ${MAX_ATTRIBUTES} attributes, found ${value.length}`;
    const hint =
      value.length === 1 && only
        ? `to make ${named(only.value)} unique by itself, write unique: true in the attribute, or relation: oneToOne`
        : 'for example unique: [[event, author]]';
    reportError(report, { code, message, location, hint });
  }
  const seen = new Set<string>();
  for (const name of value) {
    if (seen.has(name.value)) {
      const message = `a combination in \`unique\` contains ${named(name.value)} twice`;
      reportError(report, { code, message, location: name.location });
    }
    seen.add(name.value);
  }
}

/** Reports a combination that is written twice, in any order. */
function checkRepeated({ report }: ModelContext, { unique }: ContentTypeDefinition): void {
  const seen = new Map<string, Combination>();
  for (const combination of unique) {
    const names = combination.value.map(({ value }) => value);
    const key = names.toSorted().join(' ');
    const first = seen.get(key);
    if (first) {
      const message = `\`unique\` contains the combination of ${names.map(named).join(' and ')} twice`;
      const related = [{ message: 'it first occurs here', location: first.location }];
      reportError(report, { code: 'attribute/unique', message, location: combination.location, related });
    } else seen.set(key, combination);
  }
}

/** The combinations of a type's attributes that are unique, as written. Problems are reported. */
export function resolveUnique(
  context: ModelContext,
  type: ContentTypeDefinition,
  attributes: readonly Attribute[],
): readonly (readonly string[])[] {
  for (const combination of type.unique) {
    checkCombination(context, combination);
    for (const part of combination.value) checkPart(context, type, attributes, part);
  }
  checkRepeated(context, type);
  return type.unique.map(({ value }) => value.map((name) => name.value));
}
