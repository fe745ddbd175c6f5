/** Converts a Strapi relation to a schema relation. */
import { FILE, USER } from '../strapi/own-names.ts';
import { type Conversion, type ConvertContext, findingAbout, type Subject } from './convert-context.ts';
import type { Json } from './draft.ts';
import { type Members, type StrapiType, textOf } from './strapi-project.ts';

/**
 * Each target type takes a column and an index in the relation's table. Above this number, only types found in use
 * become targets.
 */
const MAX_TARGETS = 30;

const KINDS = [
  'oneToOne',
  'oneToMany',
  'manyToOne',
  'manyToMany',
  'oneWay',
  'manyWay',
  'morphToOne',
  'morphToMany',
  'morphOne',
  'morphMany',
] as const;

type Kind = (typeof KINDS)[number];

const TO_MANY: ReadonlySet<Kind> = new Set<Kind>(['oneToMany', 'manyToMany', 'manyWay', 'morphMany']);

function flags({ given }: Subject): Record<string, Json> {
  return {
    ...(given['required'] === true ? { required: true } : {}),
    ...(given['private'] === true ? { private: true } : {}),
  };
}

/** A relation to files becomes a media attribute. */
function asMedia(subject: Subject, { find }: ConvertContext, kind: Kind): Conversion {
  const many = TO_MANY.has(kind);
  find(findingAbout(subject, 'changed', 'a relation to files was converted to media'));
  return {
    options: { type: 'media', ...(many ? { multiple: true } : {}), ...flags(subject) },
    comments: ['Converted from a relation to files'],
  };
}

export function isCollection(uid: string, { project }: Pick<ConvertContext, 'project'>): boolean {
  return uid === USER || project.types.find((type) => type.uid === uid)?.kind === 'collectionType';
}

/** Types that have the inverse side of this relation. */
function typesNaming({ name, owner }: Subject, { project }: ConvertContext): readonly string[] {
  const isOther = (attribute: Members): boolean =>
    (attribute['relation'] === 'morphOne' || attribute['relation'] === 'morphMany') &&
    attribute['target'] === owner.uid &&
    attribute['morphBy'] === name;
  return project.types.filter(({ attributes }) => [...attributes.values()].some(isOther)).map(({ uid }) => uid);
}

/**
 * In Strapi, such a relation may point to any type; here, all collection types become targets until the user narrows
 * them down.
 */
function convertMorph(subject: Subject, context: ConvertContext, kind: Kind): Conversion | undefined {
  const { project, names, find } = context;
  const seen = [...(project.morphTargets.get(`${subject.owner.uid}.${subject.name}`) ?? [])].sort();
  const all = project.types.filter((type: StrapiType) => type.kind === 'collectionType').map(({ uid }) => uid);
  const known = [...new Set([...typesNaming(subject, context), ...seen])].filter((uid) => isCollection(uid, context));
  const isMany = all.length > MAX_TARGETS;
  const targets = isMany ? known : [...new Set([...all, ...known])];
  const uids = targets.flatMap((uid) => names.type(uid) ?? []).sort();
  if (uids.length === 0) {
    find(
      findingAbout(
        subject,
        'unsupported',
        'its targets are unknown: write the attribute yourself, for example with targets: [article, tag]',
      ),
    );
    return undefined;
  }
  const lost = seen.filter((uid) => !isCollection(uid, context));
  if (lost.length > 0) {
    find(findingAbout(subject, 'unsupported', `it also relates to ${lost.join(', ')}, which can't be a target`));
  }
  const inContent = seen.flatMap((uid) => names.type(uid) ?? []);
  const used = inContent.length === 0 ? '' : ` The content contains ${inContent.join(', ')}.`;
  const why = isMany
    ? `These types, of ${all.length}, are known targets; add others that may be.`
    : 'In Strapi, any type can be a target; remove those that never are.';
  find(findingAbout(subject, 'decide', `its target types: ${why}${used}`));
  return {
    options: { type: 'relation', relation: kind, targets: uids, ...flags(subject) },
    comments: [`${why}${used}`],
  };
}

function unsupported(subject: Subject, { find }: ConvertContext, message: string): undefined {
  find(findingAbout(subject, 'unsupported', message));
  return undefined;
}

function convertMorphInverse(
  subject: Subject,
  context: ConvertContext,
  kind: Kind,
  uid: string,
): Conversion | undefined {
  const { given, ownerKind } = subject;
  const target = context.names.type(uid);
  const morphBy = textOf(given['morphBy']) ?? '';
  const named = context.names.attribute(uid, morphBy);
  if (ownerKind === 'component') {
    return unsupported(subject, context, "components can't be the inverse side of a relation");
  }
  if (target === undefined || named === undefined) {
    return unsupported(subject, context, `it is the inverse side of ${uid}.${morphBy}, which does not exist`);
  }
  const isPrivate = given['private'] === true ? { private: true } : {};
  return { options: { type: 'relation', relation: kind, target, morphBy: named, ...isPrivate }, comments: [] };
}

/** The converted relation; undefined if there is no equivalent, which is reported as a finding. */
export function convertRelation(subject: Subject, context: ConvertContext): Conversion | undefined {
  const { given } = subject;
  const kind = KINDS.find((known) => known === given['relation']);
  if (kind === undefined) {
    return unsupported(subject, context, `unknown relation ${JSON.stringify(String(given['relation']).slice(0, 60))}`);
  }
  if (kind === 'morphToOne' || kind === 'morphToMany') return convertMorph(subject, context, kind);
  const uid = textOf(given['target']) ?? '';
  if (uid === FILE) return asMedia(subject, context, kind);
  if (kind === 'morphOne' || kind === 'morphMany') return convertMorphInverse(subject, context, kind, uid);
  const target = context.names.type(uid);
  if (target === undefined) {
    const whose = uid.startsWith('admin::')
      ? 'accounts of the admin panel are not imported'
      : 'this type does not exist in the project';
    return unsupported(subject, context, `it relates to ${uid || 'nothing'}: ${whose}`);
  }
  if (!isCollection(uid, context)) {
    return unsupported(
      subject,
      context,
      `it relates to the single type ${target}, which can't be a target; read it from its own path`,
    );
  }
  const settled = context.relations.get(`${subject.owner.uid}.${subject.name}`);
  for (const change of settled?.changes ?? []) context.find(findingAbout(subject, 'changed', change));
  const side = settled?.side;
  const other = side && context.names.attribute(uid, side.name);
  const sides = side && other !== undefined ? { [side.word]: other } : {};
  const relation = settled?.kind ?? kind;
  return { options: { type: 'relation', relation, target, ...sides, ...flags(subject) }, comments: [] };
}
