/** Attributes that Strapi adds to those that a project declares. */
import { USER_ATTRIBUTES } from '#contract/user-attributes.ts';
import { SYSTEM_ATTRIBUTES } from '#strapi/own-names.ts';
import type { Members } from './strapi-project.ts';

/** Attributes of paid features: review stages, assignees. */
const OF_FEATURES = /^(?:strapi|cms)_/u;

export function isSystemAttribute(name: string): boolean {
  return SYSTEM_ATTRIBUTES.has(name) || OF_FEATURES.test(name);
}

/** The project's own attributes of an owner. `declared`: the names that it declares, if known. */
export function ownAttributes(
  attributes: Readonly<Record<string, Members>>,
  declared?: ReadonlySet<string>,
): ReadonlyMap<string, Members> {
  const own = Object.entries(attributes).filter(([name]) => !isSystemAttribute(name) && (declared?.has(name) ?? true));
  return new Map(own);
}

/** The attributes that a project adds to users, without those that every user has. */
export function ownUserAttributes(attributes: ReadonlyMap<string, Members>): ReadonlyMap<string, Members> {
  return new Map([...attributes].filter(([name]) => !USER_ATTRIBUTES.has(name)));
}
