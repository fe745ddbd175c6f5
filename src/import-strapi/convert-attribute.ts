/** Converts a Strapi attribute to a schema attribute, or reports why it has no equivalent. */
import { enumText } from '#contract/attribute-types/enumeration.ts';
import { isFreeText, type ScalarType, scalarTypes } from '#contract/attribute-types/scalar-type.ts';
import { mediaTypes } from '../schema/keywords.ts';
import { convertConditions } from './convert-conditions.ts';
import { convertRelation } from './convert-relation.ts';
import { customType } from './custom-fields.ts';
import { type Conversion, type ConvertContext, findingAbout, type Subject } from './convert-context.ts';
import type { DraftAttribute, Json, Options } from './draft.ts';
import { saysMore } from './says-more.ts';
import { scalarOptions } from './scalar-options.ts';
import { member, textOf } from './strapi-project.ts';

function flags({ given }: Subject): Record<string, Json> {
  return {
    ...(given['required'] === true ? { required: true } : {}),
    ...(given['private'] === true ? { private: true } : {}),
    ...(given['writable'] === false ? { writable: false } : {}),
  };
}

/**
 * Whether every locale has its own value: always for relations and uids, otherwise according to the attribute's
 * options.
 */
function isLocalized({ given }: Subject): boolean {
  if (given['type'] === 'relation' || given['type'] === 'uid') return true;
  return member(member(given['pluginOptions'], 'i18n'), 'localized') === true;
}

function withLocale(subject: Subject, localized: boolean, options: Options): Options {
  return localized && !isLocalized(subject) ? { ...options, localized: false } : options;
}

/**
 * The `targetField` of a uid, where it has an effect here: if the uid is required, and the target is text and not
 * private.
 */
function targetField({ owner, given }: Subject, { names }: ConvertContext): Record<string, Json> {
  const name = textOf(given['targetField']);
  const target = name === undefined ? undefined : owner.attributes.get(name);
  if (name === undefined || given['required'] !== true || target === undefined) return {};
  const type = scalarTypes.find((known) => known === target['type']);
  const isText = type !== undefined && isFreeText(type);
  const isShown = target['private'] !== true || given['private'] === true;
  return isText && isShown ? { targetField: names.attribute(owner.uid, name) ?? name } : {};
}

function convertScalar(type: ScalarType, subject: Subject, context: ConvertContext): Conversion {
  const { options, leftOut } = scalarOptions(type, subject.given);
  const comments = leftOut.map((what) => `Omitted: ${what}`);
  for (const message of leftOut) context.find(findingAbout(subject, 'changed', `omitted: ${message}`));
  const values = Array.isArray(options['enum']) ? options['enum'].map(String) : [];
  const padded = values.filter((value) => value.trim() !== value);
  if (padded.length > 0) {
    const message = `values with spaces, tabs or line ends at their ends are kept as they are: ${enumText(padded)}`;
    context.find(findingAbout(subject, 'changed', message));
  }
  const target = type === 'uid' ? targetField(subject, context) : {};
  return { options: { type, ...flags(subject), ...options, ...target }, comments };
}

function convertMedia(subject: Subject): Conversion {
  const { given } = subject;
  const allowed = Array.isArray(given['allowedTypes']) ? given['allowedTypes'] : [];
  const known = mediaTypes.filter((type) => allowed.includes(type));
  const isLimited = known.length > 0 && known.length < mediaTypes.length;
  const options = {
    type: 'media',
    ...(given['multiple'] === true ? { multiple: true } : {}),
    ...flags(subject),
    ...(isLimited ? { allowedTypes: known } : {}),
  };
  return { options, comments: [] };
}

function counts({ given }: Subject): Record<string, Json> {
  const entries = ['min', 'max'].flatMap((name) => {
    const value = given[name];
    return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? [[name, value] as const] : [];
  });
  return Object.fromEntries(entries);
}

function convertComponent(subject: Subject, { names, find }: ConvertContext): Conversion | undefined {
  const uid = textOf(subject.given['component']) ?? '';
  const component = names.component(uid);
  if (component === undefined) {
    find(findingAbout(subject, 'unsupported', `the component ${uid} does not exist in the project`));
    return undefined;
  }
  const isRepeatable = subject.given['repeatable'] === true;
  const repeatable = isRepeatable ? { repeatable: true, ...counts(subject) } : {};
  return { options: { type: 'component', component, ...flags(subject), ...repeatable }, comments: [] };
}

function convertZone(subject: Subject, { names, find }: ConvertContext): Conversion | undefined {
  const { given, ownerKind } = subject;
  const uids = (Array.isArray(given['components']) ? given['components'] : []).map(String);
  const missing = uids.filter((uid) => names.component(uid) === undefined);
  const components = [...new Set(uids.flatMap((uid) => names.component(uid) ?? []))];
  if (missing.length > 0) {
    find(
      findingAbout(subject, 'changed', `removed components that do not exist in the project: ${missing.join(', ')}`),
    );
  }
  if (ownerKind === 'component' || components.length === 0) {
    const why =
      ownerKind === 'component' ? "components can't contain dynamic zones" : 'the dynamic zone has no components';
    find(findingAbout(subject, 'unsupported', why));
    return undefined;
  }
  return { options: { type: 'dynamiczone', components, ...flags(subject), ...counts(subject) }, comments: [] };
}

/** The type of the values. For a custom field, this is the type that it stores. */
function typeOf(subject: Subject, { find }: ConvertContext): { readonly type: string; readonly comment?: string } {
  const { given } = subject;
  const type = String(given['type']);
  const field = textOf(given['customField']);
  if (field === undefined) return { type };
  const { type: stored, isGuess } = type === 'customField' ? customType(field) : { type, isGuess: false };
  const guess = isGuess ? ', which is a guess; check what it stores' : '';
  find(
    findingAbout(
      subject,
      'unsupported',
      `the custom field ${field} is not supported; its values are imported as ${stored}${guess}`,
    ),
  );
  return { type: stored, comment: `Custom field ${field}` };
}

function convert(subject: Subject, context: ConvertContext): Conversion | undefined {
  const { type, comment } = typeOf(subject, context);
  const scalar = scalarTypes.find((known) => known === type);
  const comments = comment === undefined ? [] : [comment];
  const made = ((): Conversion | undefined => {
    if (scalar !== undefined) return convertScalar(scalar, subject, context);
    switch (type) {
      case 'media':
        return convertMedia(subject);
      case 'component':
        return convertComponent(subject, context);
      case 'dynamiczone':
        return convertZone(subject, context);
      case 'relation':
        return convertRelation(subject, context);
      default:
        context.find(
          findingAbout(subject, 'unsupported', `unknown attribute type ${JSON.stringify(type.slice(0, 60))}`),
        );
        return undefined;
    }
  })();
  return made && { ...made, comments: [...comments, ...made.comments] };
}

/** The label in the admin panel, unless it only repeats the name, and the description. */
function textsOf({ owner, name, given }: Subject, { project }: ConvertContext): Options {
  const displayName = project.views.get(owner.uid)?.labels.get(name);
  const description = textOf(given['description']);
  return {
    ...(saysMore(displayName, name) ? { displayName } : {}),
    ...(description === undefined ? {} : { description }),
  };
}

/**
 * The schema attribute; undefined if there is no equivalent, which is reported as a finding. `localized`: whether the
 * owner is localized.
 */
export function convertAttribute(
  subject: Subject,
  context: ConvertContext,
  localized: boolean,
): DraftAttribute | undefined {
  const made = convert(subject, context);
  if (made === undefined) return undefined;
  const nameOf = (name: string): string => context.names.attribute(subject.owner.uid, name) ?? name;
  const { visible, leftOut } = convertConditions(subject, nameOf);
  const { required, ...optional } = made.options;
  // Where the condition has no equivalent, entries that lack the value must remain valid.
  const own = leftOut === undefined ? made.options : optional;
  const options = { ...own, ...(visible === undefined ? {} : { visible }), ...textsOf(subject, context) };
  if (leftOut !== undefined) {
    const also = required === true ? ', and with it `required`' : '';
    context.find(findingAbout(subject, 'changed', `omitted: ${leftOut}${also}`));
  }
  const comments = [...made.comments, ...(leftOut === undefined ? [] : [`Omitted: ${leftOut}`])];
  return { name: nameOf(subject.name), options: withLocale(subject, localized, options), comments };
}
