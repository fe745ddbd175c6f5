/** Attributes that Strapi adds to those that a project declares. */
import { USER_ATTRIBUTES } from '#contract/user-attributes.ts';
import { member, type Members, type StrapiType } from './strapi-project.ts';

/** Attributes of paid features: review stages, assignees. */
const OF_FEATURES = /^(?:strapi|cms)_/u;

const OF_EVERY_TYPE = ['id', 'createdAt', 'updatedAt', 'createdBy', 'updatedBy'];
const OF_VERSION_5 = ['documentId', 'publishedAt', 'locale', 'localizations'];

type TypeOptions = Pick<StrapiType, 'options' | 'pluginOptions'>;

/** Whether Strapi overwrites an attribute of a content type, even if the project declares one with this name. */
export function isSystemAttribute(name: string, major: 4 | 5, { options, pluginOptions }: TypeOptions): boolean {
  const names = new Set([
    ...OF_EVERY_TYPE,
    ...(major === 5 ? OF_VERSION_5 : []),
    ...(member(options, 'draftAndPublish') === true ? ['publishedAt'] : []),
    ...(member(member(pluginOptions, 'i18n'), 'localized') === true ? ['locale', 'localizations'] : []),
  ]);
  return names.has(name);
}

/** Attributes of every running schema of version 4 or 5, some of which a project may also declare. */
const RUNNING: ReadonlySet<string> = new Set([...OF_EVERY_TYPE, ...OF_VERSION_5, 'firstPublishedAt']);

/** The attributes of a content type that are the project's own. `declared`: the names that it declares, if known. */
export function ownAttributes(
  attributes: Readonly<Record<string, Members>>,
  { major, type, declared }: { major: 4 | 5; type: TypeOptions; declared: ReadonlySet<string> | undefined },
): ReadonlyMap<string, Members> {
  const isOwn = (name: string): boolean =>
    declared === undefined ? !RUNNING.has(name) && !OF_FEATURES.test(name) : declared.has(name);
  return new Map(Object.entries(attributes).filter(([name]) => isOwn(name) && !isSystemAttribute(name, major, type)));
}

/** The attributes that a project adds to users, without those that every user has. */
export function ownUserAttributes(attributes: Readonly<Record<string, Members>>): ReadonlyMap<string, Members> {
  const isOwn = (name: string): boolean => !USER_ATTRIBUTES.has(name) && !RUNNING.has(name) && !OF_FEATURES.test(name);
  return new Map(Object.entries(attributes).filter(([name]) => isOwn(name)));
}

/** The attributes of a component, to which Strapi adds only ids. */
export function ownItemAttributes(attributes: Readonly<Record<string, Members>>): ReadonlyMap<string, Members> {
  return new Map(Object.entries(attributes).filter(([name]) => name !== 'id'));
}
