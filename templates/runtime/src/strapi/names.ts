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

/** `Shared.SEO` → `shared.seo` */
export function componentName(uid: string): string {
  const [category = '', ...rest] = uid.split('.');
  const name = rest.join('-');
  const part = (text: string): string => (TYPE_NAME.test(text) ? text : joined(text, '-', 'part'));
  return `${part(category)}.${part(name)}`;
}

/** `Harbour Master` → `harbour_master` */
export function roleName(type: string): string {
  return ROLE_NAME.test(type) ? type : joined(type, '_', 'role').slice(0, LONGEST_ROLE);
}
