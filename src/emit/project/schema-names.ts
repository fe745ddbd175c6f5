/** The names of a project's model, as editors complete them in its schema. */
import type { ContentModel } from '../../model/content-model.ts';
import type { SchemaNames } from '../../schema/schema-names.ts';

/** Names of other attributes are left out, so that a further one leaves the file as it is. */
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
