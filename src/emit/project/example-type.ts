/** The type and attribute in the examples of README.md and AGENTS.md. */
import { canBeIndexed } from '#contract/attribute-types/scalar-type.ts';
import type { ContentType } from '../../model/content-model.ts';
import type { View } from '../template.ts';

/** The first collection type and its first attribute that a list can be sorted by. `types`: those with routes of their own. */
export function exampleView(types: readonly ContentType[]): View {
  const lists = types.filter(({ kind }) => kind === 'collectionType');
  const [first] = lists;
  const attribute = first?.attributes.find(
    (one) => one.kind === 'scalar' && !one.private && canBeIndexed(one.type),
  )?.name;
  return {
    exampleType: first?.uid ?? 'article',
    exampleRoute: first?.route ?? 'articles',
    exampleAttribute: attribute,
    exampleTags:
      first === undefined
        ? 'article,author'
        : lists
            .slice(0, 2)
            .map(({ uid }) => uid)
            .join(),
  };
}
