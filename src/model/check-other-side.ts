/** Checks that the two sides of a relation refer to each other. */
import type { RelationKind } from '#contract/content-type.ts';
import { reportError } from '../diagnostics/report.ts';
import { suggestion } from '../diagnostics/suggest.ts';
import { named } from '../diagnostics/visible-text.ts';
import type { AttributeDefinition, ContentTypeDefinition, Located, RelationDefinition } from '../schema/definition.ts';
import { describeOwner, type ModelContext, type Owner } from './model-context.ts';

type Side = 'mappedBy' | 'inversedBy';

/** A relation that names its other side. */
export interface OneSide {
  readonly definition: RelationDefinition;
  readonly side: Side;
  /** The attribute of the target that is named as the other side. */
  readonly named: Located<string>;
  readonly target: string;
}

function opposite(side: Side): Side {
  return side === 'mappedBy' ? 'inversedBy' : 'mappedBy';
}

/** The kind that the other side must have. */
function reverse(kind: RelationKind): RelationKind {
  return kind === 'oneToMany' ? 'manyToOne' : kind === 'manyToOne' ? 'oneToMany' : kind;
}

/** The options of a relation that stay as they are when its other side is corrected. */
function keptOptions(found: RelationDefinition): string {
  const options = [
    found.required && 'required: true',
    found.private && 'private: true',
    !found.writable && 'writable: false',
    found.localized?.value === false && 'localized: false',
    [found.displayName, found.description, found.renamedFrom].some((text) => text !== undefined) && '…',
  ];
  return options.flatMap((option) => (option === false ? [] : [`, ${option}`])).join('');
}

/** How the attribute on the other side should be written. `found`: as it is now. */
function expectedLine(owner: Owner, { definition, side, named: other }: OneSide, found?: RelationDefinition): string {
  const kind = reverse(definition.relation.value);
  const kept = found ? keptOptions(found) : '';
  return `${other.value}: { type: relation, relation: ${kind}, target: ${owner.uid}, ${opposite(side)}: ${definition.name}${kept} }`;
}

/**
 * Whether some relation names this attribute in `inversedBy`. That relation is the owning side, so this one must match
 * it.
 */
function hasOwner({ relatable }: ModelContext, owner: Owner, { definition }: OneSide): boolean {
  return [...relatable.values()].some((type) =>
    type.attributes.some(
      (attribute) =>
        attribute.kind === 'relation' &&
        attribute.target?.value === owner.uid &&
        attribute.inversedBy?.value === definition.name,
    ),
  );
}

/**
 * Whether the mismatch of a pair is reported at its other side. It is reported only once: two messages would each ask
 * to change the other side. The owning side is authoritative; if both sides claim the same role, the first by name is
 * reported.
 */
function isReportedElsewhere(context: ModelContext, owner: Owner, one: OneSide, found?: AttributeDefinition): boolean {
  const { definition, side, target } = one;
  if (side === 'mappedBy' && hasOwner(context, owner, one)) return true;
  if (found?.kind !== 'relation' || found.target?.value !== owner.uid) return false;
  if (found[side]?.value !== definition.name) return false;
  return `${target}.${found.name}` < `${owner.uid}.${definition.name}`;
}

/** The attribute of the target that names this one as its other side, if any. */
function claimantOf(type: ContentTypeDefinition, owner: Owner, { definition, side }: OneSide): string | undefined {
  return type.attributes.find(
    (attribute) =>
      attribute.kind === 'relation' &&
      attribute.target?.value === owner.uid &&
      attribute[opposite(side)]?.value === definition.name,
  )?.name;
}

function missing(context: ModelContext, owner: Owner, type: ContentTypeDefinition, one: OneSide): undefined {
  const { definition, named: other, target } = one;
  const relations = type.attributes.filter((attribute) => attribute.kind === 'relation').map(({ name }) => name);
  const near = suggestion(other.value, relations);
  const claimant = claimantOf(type, owner, one);
  return reportError(context.report, {
    code: 'relation/missing-inverse',
    message: `\`${one.side}\` of ${named(`${owner.uid}.${definition.name}`)} refers to ${named(other.value)}, which ${named(target)} does not have`,
    location: other.location,
    related: [{ message: `${named(target)} is defined here`, location: type.location }],
    hint:
      claimant === undefined
        ? `${near?.startsWith('did') ? `${near} Otherwise, add` : 'add'} to ${describeOwner(target)}:\n${expectedLine(owner, one)}`
        : `${named(`${target}.${claimant}`)} refers to this relation; write ${one.side}: ${claimant}`,
  });
}

/** What is wrong with `found` as the other side; undefined if nothing is. */
function faultOf(owner: Owner, { definition, side }: OneSide, found: RelationDefinition): string | undefined {
  const kind = reverse(definition.relation.value);
  if (found.relation.value !== kind) return `is \`${found.relation.value}\`, expected \`${kind}\``;
  if (found.target?.value !== owner.uid) {
    return `has the target ${named(found.target?.value ?? 'nothing')}, expected ${named(owner.uid)}`;
  }
  const back = found[opposite(side)];
  if (back === undefined) return `lacks the option \`${opposite(side)}\``;
  return undefined;
}

function wrong(
  context: ModelContext,
  owner: Owner,
  one: OneSide,
  found: AttributeDefinition,
  fault: string,
): undefined {
  return reportError(context.report, {
    code: 'relation/wrong-inverse',
    message: `\`${one.side}\` of ${named(`${owner.uid}.${one.definition.name}`)} refers to an attribute that does not match: ${named(`${one.target}.${found.name}`)} ${fault}`,
    location: one.named.location,
    related: [{ message: 'this attribute should be the other side of the relation', location: found.location }],
    hint:
      found.kind === 'relation'
        ? `change it in ${describeOwner(one.target)}:\n${expectedLine(owner, one, found)}`
        : 'specify a relation, or the name of a new attribute',
  });
}

function taken(
  context: ModelContext,
  owner: Owner,
  one: OneSide,
  found: RelationDefinition,
  back: Located<string>,
): undefined {
  const { definition, target } = one;
  return reportError(context.report, {
    code: 'relation/inverse-taken',
    message: `${named(`${owner.uid}.${definition.name}`)} can't use ${named(`${target}.${found.name}`)} as its other side, because that refers to ${named(back.value)}`,
    location: one.named.location,
    related: [{ message: `it refers to ${named(back.value)} here`, location: back.location }],
    hint: 'an attribute can be the other side of only one relation; use another attribute for this one, or none',
  });
}

/**
 * The name of the attribute that is the other side, if there is one. A relation to `user` has none if the schema has no
 * `users`, whatever the relation names. Mismatches are reported.
 */
export function checkOtherSide(context: ModelContext, owner: Owner, one: OneSide): string | undefined {
  const { definition, side, named: other, target } = one;
  const type = context.relatable.get(target);
  if (type === undefined) {
    if (side === 'inversedBy') return undefined;
    return reportError(context.report, {
      code: 'relation/side',
      message: `${named(definition.name)} can't have \`mappedBy\`, because the schema defines no attributes of the built-in type ${named(target)}`,
      location: other.location,
      hint: `remove \`mappedBy\`, or add to the attributes of \`users\`:\n${expectedLine(owner, one)}`,
    });
  }
  const found = type.attributes.find((attribute) => attribute.name === other.value);
  // Called only on errors, since it searches the whole schema.
  const isReported = (): boolean => isReportedElsewhere(context, owner, one, found);
  if (found === undefined) return isReported() ? undefined : missing(context, owner, type, one);
  if (found.kind !== 'relation') return wrong(context, owner, one, found, `is not a relation`);
  if (found === definition) {
    return reportError(context.report, {
      code: 'relation/wrong-inverse',
      message: `${named(`${owner.uid}.${definition.name}`)} can't be its own other side`,
      location: other.location,
      hint: `remove \`${side}\`, or specify another attribute`,
    });
  }
  // A target that doesn't exist is reported as such.
  if (found.target && found.target.value !== 'user' && !context.relatable.has(found.target.value)) return undefined;
  const fault = faultOf(owner, one, found);
  if (fault !== undefined) return isReported() ? undefined : wrong(context, owner, one, found, fault);
  const back = found[opposite(side)];
  if (back !== undefined && back.value !== definition.name) {
    if (owner.attributes.some(({ name }) => name === back.value)) return taken(context, owner, one, found, back);
    // The other side names an attribute that does not exist. If it owns the relation, the error is reported there.
    if (side === 'mappedBy') return undefined;
    return wrong(context, owner, one, found, `refers to ${named(back.value)}, which does not exist`);
  }
  return found.name;
}
