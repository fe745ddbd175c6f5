/** The attributes that Strapi adds to what a project declares. */
import { USER_ATTRIBUTES } from '#contract/user-attributes.ts';
import { SYSTEM_ATTRIBUTES } from '#strapi/own-names.ts';
import type { Members } from './strapi-project.ts';

/** Of paid features: stages of reviews, assignees. */
const OF_FEATURES = /^(?:strapi|cms)_/u;

export function isSystemAttribute(name: string): boolean {
  return SYSTEM_ATTRIBUTES.has(name) || OF_FEATURES.test(name);
}

/** The attributes of an owner that are the project's own. `declared`: the names that it declares, where they are known. */
export function ownAttributes(
  attributes: Readonly<Record<string, Members>>,
  declared?: ReadonlySet<string>,
): ReadonlyMap<string, Members> {
  const own = Object.entries(attributes).filter(([name]) => !isSystemAttribute(name) && (declared?.has(name) ?? true));
  return new Map(own);
}

/** Those that a project adds to users: what every user has is not among them. */
export function ownUserAttributes(attributes: ReadonlyMap<string, Members>): ReadonlyMap<string, Members> {
  return new Map([...attributes].filter(([name]) => !USER_ATTRIBUTES.has(name)));
}
