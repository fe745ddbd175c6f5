/**
 * Relations, with their ends resolved. The two sides of a relation name each other:
 *
 * | owning side, `inversedBy` | other side, `mappedBy` |
 * | ------------------------- | ---------------------- |
 * | oneToOne                  | oneToOne               |
 * | manyToOne                 | oneToMany              |
 * | manyToMany                | manyToMany             |
 *
 * The other side of a morph relation, `morphOne` or `morphMany`, names it with `morphBy`, and is not named by it.
 */
import { isMorphInverse, isPolymorphic, type RelationKind } from '#contract/content-type.ts';
import { reportError } from '../diagnostics/report.ts';
import { suggestion } from '../diagnostics/suggest.ts';
import { named } from '../diagnostics/visible-text.ts';
import type { Located, RelationDefinition } from '../schema/definition.ts';
import type { RelationAttribute } from './content-model.ts';
import { checkOtherSide } from './check-other-side.ts';
import { checkMorphOwner } from './check-morph-owner.ts';
import { type ModelContext, type Owner, USER_TYPE } from './model-context.ts';

type Side = 'mappedBy' | 'inversedBy';

/** The options with which each kind may name its other side. */
const sides: Readonly<Record<RelationKind, readonly Side[]>> = {
  oneToOne: ['inversedBy', 'mappedBy'],
  oneToMany: ['mappedBy'],
  manyToOne: ['inversedBy'],
  manyToMany: ['inversedBy', 'mappedBy'],
  oneWay: [],
  manyWay: [],
  morphToOne: [],
  morphToMany: [],
  morphOne: [],
  morphMany: [],
};

function unknownTargetHint({ types, components, schema }: ModelContext, target: string): string | undefined {
  if (components.has(target)) return 'this is a component; write type: component, component: ' + target;
  if (target === 'file') return 'for files, use an attribute of the type `media`';
  const short = target.replace(/^.*[.:]/, '');
  if (types.has(short) || short === USER_TYPE) return `write it without the prefix: target: ${short}`;
  const names = schema.contentTypes.filter((type) => type.kind === 'collectionType').map((type) => type.uid);
  return suggestion(target, [...names, USER_TYPE]);
}

/** Whether a relation can point to `target`; otherwise this is reported. */
function checkTarget(context: ModelContext, definition: RelationDefinition, target: Located<string>): boolean {
  const type = context.types.get(target.value);
  if (type?.kind === 'collectionType' || target.value === USER_TYPE) return true;
  const what = `the relation ${named(definition.name)}`;
  reportError(
    context.report,
    type === undefined
      ? {
          code: 'relation/unknown-target',
          message: `the target ${named(target.value)} of ${what} is not a content type`,
          location: target.location,
          hint: unknownTargetHint(context, target.value),
        }
      : {
          code: 'relation/target',
          message: `the target ${named(target.value)} of ${what} is a single type, expected a collection type`,
          location: target.location,
          related: [{ message: 'it is defined as a single type here', location: type.location }],
        },
  );
  return false;
}

function missingTarget(context: ModelContext, definition: RelationDefinition, option: string, example: string): void {
  reportError(context.report, {
    code: 'relation/target',
    message: `the relation ${named(definition.name)} is missing the option \`${option}\`, which \`${definition.relation.value}\` requires`,
    location: definition.location,
    hint: `for example ${option}: ${example}`,
  });
}

const superfluousHints = {
  target: 'use `targets` with a list of types',
  targets: 'use `target` with one type',
  morphBy: 'remove it; only `morphOne` and `morphMany` have it',
} as const;

function superfluous(
  context: ModelContext,
  { name, relation }: RelationDefinition,
  option: keyof typeof superfluousHints,
  written: { readonly location: RelationDefinition['location'] } | undefined,
): void {
  if (written === undefined) return;
  reportError(context.report, {
    code: 'relation/target',
    message: `the relation ${named(name)} can't have the option \`${option}\`, because it is \`${relation.value}\``,
    location: written.location,
    hint: superfluousHints[option],
  });
}

function resolveMorphTargets(context: ModelContext, definition: RelationDefinition): readonly string[] {
  const { targets, name } = definition;
  superfluous(context, definition, 'target', definition.target);
  if (targets === undefined || targets.length === 0) missingTarget(context, definition, 'targets', '[article, tag]');
  const seen = new Map<string, Located<string>>();
  for (const target of targets ?? []) {
    const first = seen.get(target.value);
    if (first === undefined) {
      checkTarget(context, definition, target);
      seen.set(target.value, target);
      continue;
    }
    reportError(context.report, {
      code: 'relation/target',
      message: `the relation ${named(name)} has the target ${named(target.value)} twice`,
      location: target.location,
      related: [{ message: 'it first occurs here', location: first.location }],
    });
  }
  return [...seen.keys()];
}

function resolveTargets(context: ModelContext, definition: RelationDefinition): readonly string[] {
  if (isPolymorphic(definition.relation.value)) return resolveMorphTargets(context, definition);
  superfluous(context, definition, 'targets', definition.targets?.[0] ?? (definition.targets && definition));
  if (definition.target === undefined) {
    missingTarget(context, definition, 'target', 'article');
    return [];
  }
  return checkTarget(context, definition, definition.target) ? [definition.target.value] : [];
}

function sideHint({ relation }: RelationDefinition): string {
  const [first, second] = sides[relation.value];
  if (second !== undefined) return 'use `inversedBy` on the owning side, and `mappedBy` on the other side';
  if (first !== undefined) return `a \`${relation.value}\` relation refers to its other side with \`${first}\``;
  return `remove the option; a \`${relation.value}\` relation has no other side`;
}

/** The option that names the other side, if the relation has one. */
function resolveSide(context: ModelContext, owner: Owner, definition: RelationDefinition): Side | undefined {
  const written = (['inversedBy', 'mappedBy'] as const).filter((side) => definition[side] !== undefined);
  const [side, second] = written;
  if (side === undefined) return undefined;
  const location = definition[second ?? side]?.location ?? definition.location;
  const { name, relation } = definition;
  if (owner.kind === 'component') {
    return reportError(context.report, {
      code: 'relation/in-component',
      message: `the relation ${named(name)} can't have an inverse side, because ${named(owner.uid)} is a component`,
      location,
      hint: "remove the option; entries can't refer back to a component",
    });
  }
  if (second === undefined && sides[relation.value].includes(side)) return side;
  const message =
    second === undefined
      ? `the relation ${named(name)} can't have the option \`${side}\`, because it is \`${relation.value}\``
      : `the relation ${named(name)} has both \`inversedBy\` and \`mappedBy\``;
  return reportError(context.report, { code: 'relation/side', message, location, hint: sideHint(definition) });
}

/** Without an inverse, a one-to-one or one-to-many relation is unidirectional. */
function canonicalKind(kind: RelationKind, inverse: string | undefined): RelationKind {
  if (inverse !== undefined) return kind;
  return kind === 'oneToOne' ? 'oneWay' : kind === 'oneToMany' ? 'manyWay' : kind;
}

const manyKinds = new Set<RelationKind>(['oneToMany', 'manyToMany', 'manyWay', 'morphToMany', 'morphMany']);

/** Resolves a relation, and reports its problems. */
export function resolveRelation(
  context: ModelContext,
  owner: Owner,
  definition: RelationDefinition,
): Pick<RelationAttribute, 'kind' | 'relation' | 'many' | 'targets' | 'owner' | 'inverse'> {
  const targets = resolveTargets(context, definition);
  const { relation: kind, morphBy } = definition;
  if (isMorphInverse(kind.value)) {
    // It is written only through the other side, so its values are not validated here.
    const inverse = checkMorphOwner(context, owner, definition, targets[0]);
    return { kind: 'relation', relation: kind.value, many: kind.value === 'morphMany', targets, owner: false, inverse };
  }
  superfluous(context, definition, 'morphBy', morphBy);
  const side = resolveSide(context, owner, definition);
  const named = side && definition[side];
  let inverse: string | undefined;
  if (side !== undefined && named !== undefined && targets[0] !== undefined) {
    inverse = checkOtherSide(context, owner, { definition, side, named, target: targets[0] });
  }
  const relation = canonicalKind(definition.relation.value, inverse);
  return {
    kind: 'relation',
    relation,
    many: manyKinds.has(relation),
    targets,
    owner: side !== 'mappedBy' || inverse === undefined,
    inverse,
  };
}
