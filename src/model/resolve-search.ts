/** `search` of types: the attributes in which `_q` searches for words. */
import { attributeType } from '#contract/attribute-types/scalar-type.ts';
import { reportError } from '../diagnostics/report.ts';
import { suggestion } from '../diagnostics/suggest.ts';
import { named, quoted } from '../diagnostics/visible-text.ts';
import type { ContentTypeDefinition, Located } from '../schema/definition.ts';
import type { Attribute, SearchedAttribute } from './content-model.ts';
import type { ModelContext } from './model-context.ts';

const MAX_SEARCHED = 8;
const MAX_WEIGHT = 10;

/** Parses `title^3`: the name, and the weight, which defaults to 1. The weight is undefined if invalid. */
function read({ value }: Located<string>): { readonly name: string; readonly weight: number | undefined } {
  const [, name = value, weight = '1'] = /^([^^]*)\^(.*)$/u.exec(value) ?? [];
  return { name, weight: /^[1-9]\d?$/u.test(weight) && Number(weight) <= MAX_WEIGHT ? Number(weight) : undefined };
}

function isSearched(attribute: Attribute): boolean {
  return attribute.kind === 'scalar' && attributeType(attribute.type).operators === 'text' && !attribute.private;
}

function reasonAgainst(attribute: Attribute | undefined): string {
  if (!attribute) return 'which it does not have';
  return attribute.private ? 'which is private' : 'which is not a text attribute';
}

/** Reports problems with a searched attribute. */
function check(
  { report }: ModelContext,
  { uid }: ContentTypeDefinition,
  attributes: readonly Attribute[],
  written: Located<string>,
): void {
  const code = 'type/search';
  const { location } = written;
  const { name, weight } = read(written);
  const names = attributes.filter(isSearched).map((attribute) => attribute.name);
  if (!names.includes(name)) {
    const known = attributes.find((attribute) => attribute.name === name);
    reportError(report, {
      code,
      message: `\`search\` of ${named(uid)} contains ${named(name)}, ${reasonAgainst(known)}`,
      location,
      related: known && [{ message: 'it is defined here', location: known.location }],
      hint: suggestion(name, names),
    });
  }
  if (weight !== undefined) return;
  reportError(report, {
    code,
    message: `the weight in ${quoted(written.value)} is not valid: expected a number from 1 to ${MAX_WEIGHT} after \`^\``,
    location,
    hint: `for example ${name}^3`,
  });
}

/** The searched attributes of a type, in schema order. Problems are reported. */
export function resolveSearch(
  context: ModelContext,
  type: ContentTypeDefinition,
  attributes: readonly Attribute[],
): readonly SearchedAttribute[] {
  const { search } = type;
  if (search === undefined) return [];
  const found = new Map<string, SearchedAttribute>();
  for (const written of search) {
    check(context, type, attributes, written);
    const { name, weight = 1 } = read(written);
    if (found.has(name)) {
      const message = `\`search\` of ${named(type.uid)} contains ${named(name)} twice`;
      reportError(context.report, { code: 'type/search', message, location: written.location });
    }
    found.set(name, { name, weight });
  }
  const [first] = search;
  if (first && found.size > MAX_SEARCHED) {
    const message = `\`search\` of ${named(type.uid)} contains ${found.size} attributes; the maximum is ${MAX_SEARCHED}`;
    reportError(context.report, { code: 'type/search', message, location: first.location });
  }
  return [...found.values()];
}
