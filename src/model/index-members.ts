/** Attributes of components in the `indexes` of types, such as `seo.metaTitle`. */
import { canBeIndexed } from '#contract/attribute-types/scalar-type.ts';
import { reportError } from '../diagnostics/report.ts';
import { suggestion } from '../diagnostics/suggest.ts';
import { named } from '../diagnostics/visible-text.ts';
import type { AttributeDefinition, ContentTypeDefinition, Located, ScalarDefinition } from '../schema/definition.ts';
import type { ModelContext } from './model-context.ts';

/** The component attribute that a path leads to. */
export interface FoundMember {
  readonly kind: 'member';
  readonly component: string;
  readonly attribute: ScalarDefinition;
}

interface NoMember {
  readonly kind: 'none';
  /** What is wrong, as the end of a sentence about the index. */
  readonly reason: string;
  readonly at: AttributeDefinition | undefined;
  readonly hint: string | undefined;
}

/** Whether an index key is an attribute of a component. */
export function isMemberKey(name: string): boolean {
  return name.includes('.');
}

function none(reason: string, at?: AttributeDefinition, hint?: string): NoMember {
  return { kind: 'none', reason, at, hint };
}

const OF_LISTS = 'use an attribute of the type itself, or replace the items by entries of another type with a relation';

/** Why an index path can't pass through an attribute. */
function noWayThrough(attribute: AttributeDefinition): NoMember {
  const { name } = attribute;
  if (attribute.kind === 'component') {
    return none(
      `but ${named(name)} is repeatable, and an index contains only one value of each entry`,
      attribute,
      OF_LISTS,
    );
  }
  if (attribute.kind === 'dynamiczone') {
    return none(
      `but ${named(name)} is a dynamic zone, and an index contains only one value of each entry`,
      attribute,
      OF_LISTS,
    );
  }
  return none(`but ${named(name)} is not a component`, attribute);
}

function lacking(owner: string, name: string, attributes: readonly AttributeDefinition[]): NoMember {
  const names = attributes.map((attribute) => attribute.name);
  return none(`but ${named(owner)} has no attribute ${named(name)}`, undefined, suggestion(name, names));
}

/** The component attribute that a key such as `seo.metaTitle` leads to, or the reason why there is none. */
export function findMember(
  { components }: ModelContext,
  type: ContentTypeDefinition,
  key: string,
): FoundMember | NoMember {
  const path = key.split('.');
  const last = path.pop() ?? '';
  let owner = type.uid;
  let { attributes } = type as { attributes: readonly AttributeDefinition[] };
  for (const name of path) {
    const attribute = attributes.find((one) => one.name === name);
    if (!attribute) return lacking(owner, name, attributes);
    if (attribute.kind !== 'component' || attribute.repeatable) return noWayThrough(attribute);
    const component = components.get(attribute.component.value);
    if (!component) return none(`but there is no component ${named(attribute.component.value)}`, attribute);
    owner = component.uid;
    ({ attributes } = component);
  }
  const attribute = attributes.find(({ name }) => name === last);
  if (!attribute) return lacking(owner, last, attributes);
  if (attribute.kind !== 'scalar') {
    return none(`but ${named(last)} of ${named(owner)} does not have a single value`, attribute);
  }
  if (canBeIndexed(attribute.type)) return { kind: 'member', component: owner, attribute };
  return none(`which has the type \`${attribute.type}\` and can't be indexed`, attribute);
}

/** Reports a key that does not lead to an attribute of a component. */
export function checkMember(
  context: ModelContext,
  type: ContentTypeDefinition,
  key: Located<string>,
  name: string,
): void {
  const found = findMember(context, type, name);
  if (found.kind === 'member') return;
  reportError(context.report, {
    code: 'attribute/index',
    message: `an index of ${named(type.uid)} contains ${named(name)}, ${found.reason}`,
    location: key.location,
    related: found.at && [{ message: 'it is defined here', location: found.at.location }],
    hint: found.hint,
  });
}
