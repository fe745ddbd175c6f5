/** The type and attributes in the examples of README.md and AGENTS.md. */
import { canBeIndexed } from '#contract/attribute-types/scalar-type.ts';
import type { ContentType } from '../../model/content-model.ts';
import { propertyAccess } from '../escape.ts';
import type { View } from '../template.ts';

/** The examples for a project without a collection type. */
const ARTICLE = { uid: 'article', attributes: [] };

type ExampleType = Pick<ContentType, 'uid' | 'attributes'>;

/** The first collection type, and its first attribute that a list can be sorted by. `types`: those with routes of their own. */
export function exampleView(types: readonly ContentType[]): View {
  const lists = types.filter(({ kind }) => kind === 'collectionType');
  const type: ExampleType = lists[0] ?? ARTICLE;
  return {
    exampleType: type.uid,
    exampleEntries: propertyAccess(type.uid),
    exampleAttribute: type.attributes.find((one) => one.kind === 'scalar' && !one.private && canBeIndexed(one.type))
      ?.name,
  };
}
