/**
 * What the types, components and roles of Strapi are called here. A schema that is made of a project has these names, and an import
 * finds by them what content belongs to.
 */

const TYPE_NAME = /^[a-z][a-z0-9-]*$/u;
const ROLE_NAME = /^[a-z][a-z0-9_-]{0,62}$/u;
const LONGEST_ROLE = 60;

/** The words of a name: `workItem`, `Work_item` and `work item` have the same two. */
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

/** `api::blog.work-item` is `work-item`: its singular name, which is unique within a project. */
export function typeName(uid: string, singularName: unknown): string {
  const name =
    typeof singularName === 'string' && singularName !== '' ? singularName : uid.slice(uid.lastIndexOf('.') + 1);
  return TYPE_NAME.test(name) ? name : joined(name, '-', 'type');
}

/** The name of a type whose own one means something else here: `content-user`. */
export function insteadOf(taken: string): string {
  return `content-${taken}`;
}

/** `Shared.SEO` is `shared.seo`. */
export function componentName(uid: string): string {
  const [category = '', ...rest] = uid.split('.');
  const name = rest.join('-');
  const part = (text: string): string => (TYPE_NAME.test(text) ? text : joined(text, '-', 'part'));
  return `${part(category)}.${part(name)}`;
}

/** `Harbour Master` is `harbour_master`. */
export function roleName(type: string): string {
  return ROLE_NAME.test(type) ? type : joined(type, '_', 'role').slice(0, LONGEST_ROLE);
}
