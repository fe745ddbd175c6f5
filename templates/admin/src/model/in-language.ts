/** The model with the texts of the schema in a language. */
import type { PanelTexts, Translations } from '../../../runtime/src/contract/panel-texts.ts';
import type { LayoutTab } from '../../../runtime/src/contract/panel-view.ts';
import type { Attributes, ContentType, Model } from './model.ts';

interface Described {
  readonly texts?: Translations;
}

function textsIn({ texts }: Described, language: string): PanelTexts | undefined {
  return (texts as Readonly<Record<string, PanelTexts>> | undefined)?.[language];
}

function attributesIn(attributes: Attributes, language: string): Attributes {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, attribute]) => {
      const { displayName, description, enumLabels } = textsIn(attribute, language) ?? {};
      const labels = enumLabels && {
        enumLabels: { ...('enumLabels' in attribute && attribute.enumLabels), ...enumLabels },
      };
      const texts = {
        ...(displayName !== undefined && { displayName }),
        ...(description !== undefined && { description }),
        ...labels,
      };
      return [name, Object.keys(texts).length === 0 ? attribute : { ...attribute, ...texts }];
    }),
  );
}

function ownerIn<T extends Described & { readonly attributes: Attributes }>(owner: T, language: string): T {
  const { displayName, description } = textsIn(owner, language) ?? {};
  return {
    ...owner,
    ...(displayName !== undefined && { displayName }),
    ...(description !== undefined && { description }),
    attributes: attributesIn(owner.attributes, language),
  };
}

/** The text of a part that has one for each language. */
function ownText({ texts }: Pick<LayoutTab, 'texts'>, key: string, language: string): Readonly<Record<string, string>> {
  const own = (texts as Readonly<Record<string, string>> | undefined)?.[language];
  return own === undefined ? {} : { [key]: own };
}

function typeIn(type: ContentType, language: string): ContentType {
  const { layout, ...owner } = ownerIn(type, language);
  const { plural } = textsIn(type, language) ?? {};
  const views = type.views?.map((view) => ({ ...view, ...ownText(view, 'displayName', language) }));
  const rest = {
    ...owner,
    ...(plural !== undefined && { pluralDisplayName: plural }),
    ...(views && { views }),
  };
  if (layout?.tabs === undefined) return layout ? { ...rest, layout } : rest;
  const tabs = layout.tabs.map((one) => ({ ...one, ...ownText(one, 'tab', language) }));
  return { ...rest, layout: { ...layout, tabs } };
}

/** The same model if nothing in it has a text in the language. */
export function modelIn(model: Model, language: string): Model {
  // Types and attributes keep their identity, on which fields depend.
  if (!JSON.stringify(model).includes(`"${language}":`)) return model;
  return {
    ...model,
    types: model.types.map((type) => typeIn(type, language)),
    ...(model.users && { users: typeIn(model.users, language) }),
    components: model.components.map((component) => ownerIn(component, language)),
  };
}
