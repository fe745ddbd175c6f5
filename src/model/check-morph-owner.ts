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
    message: `\`morphBy\` of ${named(`${owner.uid}.${definition.name}`)} refers to ${named(morphBy.value)}, which ${named(target)} does not have`,
    location: morphBy.location,
    related: type && [{ message: `${named(target)} is defined here`, location: type.location }],
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
    const message = `the relation ${named(name)} can't be an inverse side, because ${named(owner.uid)} is a component`;
    const hint = "remove it: entries can't refer back to a component";
    return reportError(report, { code: 'relation/in-component', message, location, hint });
  }
  if (definition.required) {
    const message = `${own} can't be required, because it is set through the relation in \`morphBy\``;
    reportError(report, { code: 'relation/side', message, location, hint: 'remove `required`' });
  }
  for (const side of ['inversedBy', 'mappedBy'] as const) {
    const written = definition[side];
    if (written === undefined) continue;
    const message = `the relation ${named(name)} can't have the option \`${side}\`, because it is \`${relation.value}\``;
    reportError(report, { code: 'relation/side', message, location: written.location, hint: 'use `morphBy` instead' });
  }
  if (morphBy === undefined) {
    const message = `the relation ${named(name)} is missing the option \`morphBy\`, which \`${relation.value}\` requires`;
    const hint = 'specify the `morphToOne` or `morphToMany` attribute of the target, for example morphBy: subject';
    return reportError(report, { code: 'relation/side', message, location, hint });
  }
  if (target === undefined) return undefined;
  const type = context.relatable.get(target);
  const found = type?.attributes.find((attribute) => attribute.name === morphBy.value);
  if (found === undefined) return reportMissing(context, owner, definition, type, target, morphBy);
  const theirs = named(`${target}.${found.name}`);
  const related = [{ message: 'it is defined here', location: found.location }];
  if (found.kind !== 'relation' || !isPolymorphic(found.relation.value)) {
    const message = `\`morphBy\` of ${own} refers to ${theirs}, which is neither \`morphToOne\` nor \`morphToMany\``;
    const hint = 'for other kinds of relations, use `mappedBy`';
    return reportError(report, { code: 'relation/wrong-inverse', message, location: morphBy.location, related, hint });
  }
  if (found.targets?.some(({ value }) => value === owner.uid) !== true) {
    const targets = [...(found.targets ?? []).map(({ value }) => value), owner.uid];
    const message = `\`morphBy\` of ${own} refers to ${theirs}, whose targets do not include ${named(owner.uid)}`;
    const hint = `change it in ${describeOwner(target)}: targets: [${targets.join(', ')}]`;
    return reportError(report, { code: 'relation/wrong-inverse', message, location: morphBy.location, related, hint });
  }
  return found.name;
}
