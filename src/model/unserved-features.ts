/** What the schema language has and the generated server does not do yet. */
import type { Diagnostic, SourceLocation } from '../diagnostics/diagnostic.ts';
import type { Attribute, ContentModel } from './content-model.ts';

interface Feature {
  /** In the plural: it stands before `are not served yet`. */
  readonly name: string;
  /** What happens instead. */
  readonly effect: string;
  /** Where it is used first; `true`: at no place of its own. */
  readonly use: (model: ContentModel) => SourceLocation | true | undefined;
}

function firstAttribute(
  { contentTypes, components }: ContentModel,
  kind: Attribute['kind'],
): SourceLocation | undefined {
  const attributes = [...contentTypes, ...components].flatMap((owner) => owner.attributes);
  return attributes.find((attribute) => attribute.kind === kind)?.location;
}

/** An entry is deleted when its feature is served. */
const features: readonly Feature[] = [
  {
    name: 'components',
    effect: 'their attributes are left out',
    use: (model) => firstAttribute(model, 'component'),
  },
  {
    name: 'dynamic zones',
    effect: 'their attributes are left out',
    use: (model) => firstAttribute(model, 'dynamiczone'),
  },
  {
    name: 'localized types',
    effect: 'their entries have the default locale only',
    use: ({ contentTypes }) => contentTypes.find((type) => type.localized)?.location,
  },
  {
    name: 'draft and publish',
    effect: 'every entry is published',
    use: ({ contentTypes }) => contentTypes.find((type) => type.draftAndPublish)?.location,
  },
];

/** A warning for each feature that the schema uses and the server does not serve yet, at the first place that uses it. */
export function unservedFeatures(model: ContentModel): readonly Diagnostic[] {
  return features.flatMap(({ name, effect, use }): readonly Diagnostic[] => {
    const location = use(model);
    if (location === undefined) return [];
    const diagnostic: Diagnostic = {
      code: 'build/not-served-yet',
      severity: 'warning',
      message: `${name} are not served yet: ${effect}`,
    };
    return [location === true ? diagnostic : { ...diagnostic, location }];
  });
}
