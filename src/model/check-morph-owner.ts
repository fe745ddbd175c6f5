/** Inverse sides of morph relations: checks that the relation they name exists and points to their type. */
import { isPolymorphic } from '#contract/content-type.ts';
import { reportError } from '../diagnostics/report.ts';
import { suggestion } from '../diagnostics/suggest.ts';
import { named } from '../diagnostics/visible-text.ts';
import type { ContentTypeDefinition, Located, RelationDefinition } from '../schema/definition.ts';
import { describeOwner, type ModelContext, type Owner } from './model-context.ts';

function reportMissing(
  { report }: ModelContext,
  owner: Owner,
  definition: RelationDefinition,
  type: ContentTypeDefinition | undefined,
  target: string,
  morphBy: Located<string>,
): undefined {
  const morphs = (type?.attributes ?? []).filter(
    (attribute) => attribute.kind === 'relation' && isPolymorphic(attribute.relation.value),
  );
  const near = suggestion(
    morphBy.value,
    morphs.map(({ name }) => name),
  );
  const line = `${morphBy.value}: { type: relation, relation: morphToOne, targets: [${owner.uid}] }`;
  return reportError(report, {
    code: 'relation/missing-inverse',
    message: `the relation that ${named(`${owner.uid}.${definition.name}`)} is the other side of is missing: ${named(target)} has no attribute ${named(morphBy.value)}`,
    location: morphBy.location,
    related: type && [{ message: `${named(target)} is here`, location: type.location }],
    hint: near?.startsWith('did') ? near : `add to ${describeOwner(target)}:\n${line}`,
  });
}

/**
 * The name of the morph relation of `target` whose inverse side the relation is; undefined, with a report, if there is
 * none.
 */
export function checkMorphOwner(
  context: ModelContext,
  owner: Owner,
  definition: RelationDefinition,
  target: string | undefined,
): string | undefined {
  const { report } = context;
  const { name, location, relation, morphBy } = definition;
  const own = named(`${owner.uid}.${name}`);
  if (owner.kind === 'component') {
    const message = `the relation ${named(name)} of the component ${named(owner.uid)} can't be the other side of another one`;
    const hint = "leave it out: entries can't point back into a component";
    return reportError(report, { code: 'relation/in-component', message, location, hint });
  }
  if (definition.required) {
    const message = `${own} can't be required: it is written through the relation that \`morphBy\` names`;
    reportError(report, { code: 'relation/side', message, location, hint: 'leave `required` out' });
  }
  for (const side of ['inversedBy', 'mappedBy'] as const) {
    const written = definition[side];
    if (written === undefined) continue;
    const message = `the relation ${named(name)} is \`${relation.value}\` and has no option \`${side}\``;
    reportError(report, { code: 'relation/side', message, location: written.location, hint: 'write `morphBy`' });
  }
  if (morphBy === undefined) {
    const message = `the relation ${named(name)} is \`${relation.value}\` and needs the option \`morphBy\``;
    const hint = 'name the attribute of the target that is `morphToOne` or `morphToMany`, such as morphBy: subject';
    return reportError(report, { code: 'relation/side', message, location, hint });
  }
  if (target === undefined) return undefined;
  const type = context.relatable.get(target);
  const found = type?.attributes.find((attribute) => attribute.name === morphBy.value);
  if (found === undefined) return reportMissing(context, owner, definition, type, target, morphBy);
  const theirs = named(`${target}.${found.name}`);
  const related = [{ message: 'it is here', location: found.location }];
  if (found.kind !== 'relation' || !isPolymorphic(found.relation.value)) {
    const message = `${own} can't be the other side of ${theirs}, which is neither \`morphToOne\` nor \`morphToMany\``;
    const hint = 'only those lead to several types: another relation is named by `mappedBy`';
    return reportError(report, { code: 'relation/wrong-inverse', message, location: morphBy.location, related, hint });
  }
  if (found.targets?.some(({ value }) => value === owner.uid) !== true) {
    const targets = [...(found.targets ?? []).map(({ value }) => value), owner.uid];
    const message = `${own} can't be the other side of ${theirs}, which does not lead to ${named(owner.uid)}`;
    const hint = `write in ${describeOwner(target)}: targets: [${targets.join(', ')}]`;
    return reportError(report, { code: 'relation/wrong-inverse', message, location: morphBy.location, related, hint });
  }
  return found.name;
}
