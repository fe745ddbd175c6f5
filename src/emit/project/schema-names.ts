/** The names of a project's model, which editors complete in its schema. */
import type { ContentModel } from '../../model/content-model.ts';
import type { SchemaNames } from '../../schema/schema-names.ts';

/** Includes only relations among the attributes, so that adding another attribute leaves the file unchanged. */
export function schemaNamesOf({ contentTypes, components, roles }: ContentModel): SchemaNames {
  const own = contentTypes.filter((type) => !type.builtIn);
  const attributes = [...own, ...components].flatMap((owner) => owner.attributes);
  const relations = attributes.filter(({ kind }) => kind === 'relation').map(({ name }) => name);
  return {
    types: [...own.map(({ uid }) => uid), 'user'],
    components: components.map(({ uid }) => uid),
    roles: roles.map(({ role }) => role),
    relations: [...new Set(relations)].sort(),
  };
}
