/** Refuses to populate what the caller may not find: a request over HTTP gets an answer without it, whose type would be another. */
import type { Attribute, ContentType, ContentTypes } from '../../contract/content-type.ts';
import type { Caller } from '../../contract/policy/caller.ts';
import { forbidden, hasRight } from '../../contract/policy/rights.ts';

type Attributes = Readonly<Record<string, Attribute>>;

interface Links {
  readonly types: ContentTypes;
  readonly caller: Caller;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** Name → options of each thing that a value of `populate` names. */
function wishesOf(populate: unknown): [string, unknown][] {
  if (Array.isArray(populate)) return populate.map((name) => [String(name), true]);
  return isObject(populate) ? Object.entries(populate) : [];
}

function targetsOf(attribute: Attribute): readonly string[] {
  if (attribute.type !== 'relation') return [];
  const { target, storage } = attribute;
  if (target !== undefined) return [target];
  return storage.kind === 'morph' ? Object.keys(storage.targets) : [];
}

function attributesOf({ types }: Links, uid: string): Attributes {
  return types.types[uid]?.attributes ?? {};
}

/** The attributes behind an attribute, of each kind of entry or item that it may lead to. */
function behind(links: Links, attribute: Attribute): Attributes[] {
  if (attribute.type === 'component') return [links.types.components[attribute.component]?.attributes ?? {}];
  if (attribute.type === 'dynamiczone') {
    return attribute.components.map((uid) => links.types.components[uid]?.attributes ?? {});
  }
  return targetsOf(attribute).map((uid) => attributesOf(links, uid));
}

function checkAttribute(links: Links, attribute: Attribute, options: unknown): void {
  const targets = targetsOf(attribute);
  const [first] = targets;
  if (first !== undefined && !targets.some((uid) => hasRight(links.caller, 'related', uid))) {
    throw forbidden(links.caller, 'related', first);
  }
  if (!isObject(options)) return;
  for (const attributes of behind(links, attribute)) checkAll(links, attributes, options['populate']);
  if (attribute.type !== 'dynamiczone' || !isObject(options['on'])) return;
  for (const [uid, fragment] of Object.entries(options['on'])) {
    const component = Object.hasOwn(links.types.components, uid) ? links.types.components[uid] : undefined;
    if (component && isObject(fragment)) checkAll(links, component.attributes, fragment['populate']);
  }
}

function checkAll(links: Links, attributes: Attributes, populate: unknown): void {
  for (const [name, options] of wishesOf(populate)) {
    // Names that do not exist are refused when the query is read.
    const attribute = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
    if (attribute) checkAttribute(links, attribute, options);
    else if (name === 'localizations' && isObject(options)) checkAll(links, attributes, options['populate']);
  }
}

/** Throws ForbiddenError if `populate`, of a query for entries of `type`, leads to a type that `caller` may not find. */
export function checkLinks(types: ContentTypes, type: ContentType, caller: Caller, populate: unknown): void {
  checkAll({ types, caller }, type.attributes, populate);
}
