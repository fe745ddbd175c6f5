/**
 * Converts names of Strapi's types, components and roles. A schema that is generated from a Strapi project has these names, and the
 * import of content uses them to find its types.
 */

const TYPE_NAME = /^[a-z][a-z0-9-]*$/u;
const ROLE_NAME = /^[a-z][a-z0-9_-]{0,62}$/u;
const LONGEST_ROLE = 60;

/** Splits a name into words: `workItem`, `Work_item` and `work item` all become `work` and `item`. */
function wordsOf(name: string): readonly string[] {
  return name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/(?<=[\p{Ll}\d])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, ' ')
    .toLowerCase()
    .split(/[^a-z0-9]+/u)
    .filter((word) => word !== '');
}

function joined(name: string, separator: string, otherwise: string): string {
  return (
    wordsOf(name)
      .join(separator)
      .replace(/^[^a-z]+/u, '') || otherwise
  );
}

/** `api::blog.work-item` → `work-item`: the singular name, which is unique in a project. */
export function typeName(uid: string, singularName: unknown): string {
  const name =
    typeof singularName === 'string' && singularName !== '' ? singularName : uid.slice(uid.lastIndexOf('.') + 1);
  return TYPE_NAME.test(name) ? name : joined(name, '-', 'type');
}

/** The name of a type whose own name is reserved here: `content-user`. */
export function insteadOf(taken: string): string {
  return `content-${taken}`;
}

/**
 * The names that a type may have, in order of preference: its singular name, `content-item` where that is reserved here,
 * and `shop-item` where it is taken by a type of another API.
 */
export function typeNames(uid: string, singularName: unknown): readonly string[] {
  const name = typeName(uid, singularName);
  const api = uid.slice(uid.indexOf('::') + 2, uid.lastIndexOf('.'));
  return [name, insteadOf(name), `${joined(api, '-', 'type')}-${name}`];
}

/** `Shared.SEO` → `shared.seo` */
export function componentName(uid: string): string {
  const [category = '', ...rest] = uid.split('.');
  const name = rest.join('-');
  const part = (text: string): string => (TYPE_NAME.test(text) ? text : joined(text, '-', 'part'));
  return `${part(category)}.${part(name)}`;
}

/** The names that a component may have, in order of preference: `merchant.home-component` where its own would clash with another. */
export function componentNames(uid: string): readonly string[] {
  const name = componentName(uid);
  return [name, `${name}-component`];
}

const ATTRIBUTE_NAME = /^[A-Za-z][A-Za-z0-9_]*$/u;

/** `año` → `ano`, `with-dash` → `with_dash`; `content_…` for what has no letter to start with. */
function plainAttribute(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9]+/gu, '_')
    .replaceAll(/^_+|_+$/gu, '');
  return /^[A-Za-z]/u.test(plain) ? plain : insteadOfAttribute(plain || 'attribute');
}

/** The name of an attribute whose own name is reserved here, or would clash with that of another: `content_meta`. */
export function insteadOfAttribute(taken: string): string {
  return `content_${taken}`;
}

/**
 * The valid names of the attributes of one type or component, in order: their own, or for one like `año` the first of
 * `ano`, `ano_2`, … that no other attribute has.
 */
export function attributeNames(names: readonly string[]): ReadonlyMap<string, string> {
  const used = new Set(names.filter((name) => ATTRIBUTE_NAME.test(name)));
  const free = (plain: string): string => {
    let name = plain;
    for (let number = 2; used.has(name); number += 1) name = `${plain}_${number}`;
    used.add(name);
    return name;
  };
  return new Map(names.map((name) => [name, ATTRIBUTE_NAME.test(name) ? name : free(plainAttribute(name))]));
}

/** `Harbour Master` → `harbour_master` */
export function roleName(type: string): string {
  return ROLE_NAME.test(type) ? type : joined(type, '_', 'role').slice(0, LONGEST_ROLE);
}
