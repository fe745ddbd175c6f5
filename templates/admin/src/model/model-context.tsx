/** React context for the model. */
import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { useLocale, useTranslate } from 'react-admin';
import { ROLES, usersType } from './accounts.ts';
import { modelIn } from './in-language.ts';
import { type Component, type ContentType, type Model, resourceOf } from './model.ts';

/** The model, with its types and components by uid. */
export class ModelIndex {
  readonly model: Model;
  /** The types that have pages: those of the schema, and users. */
  readonly pages: readonly ContentType[];
  private readonly byUid: ReadonlyMap<string, ContentType>;
  private readonly byResource: ReadonlyMap<string, ContentType>;
  private readonly components: ReadonlyMap<string, Component>;

  constructor(model: Model) {
    this.model = model;
    this.pages = model.users ? [...model.types, usersType(model.users)] : model.types;
    const types = model.users ? [...this.pages, ROLES] : model.types;
    this.byUid = new Map(
      types.flatMap((type) => [
        [type.uid, type],
        [type.name, type],
      ]),
    );
    this.byResource = new Map(types.map((type) => [resourceOf(type), type]));
    this.components = new Map(model.components.map((component) => [component.uid, component]));
  }

  /** Finds a type by its uid or its name in responses. Undefined if the role may not see it. */
  type(uid: string | undefined): ContentType | undefined {
    return uid === undefined ? undefined : this.byUid.get(uid);
  }

  of(resource: string): ContentType | undefined {
    return this.byResource.get(resource);
  }

  /** @throws if the model has no such component */
  component(uid: string): Component {
    const component = this.components.get(uid);
    if (!component) throw new Error(`The model has no component ${uid}`);
    return component;
  }
}

const ModelContext = createContext<ModelIndex | undefined>(undefined);

/** Provides the model in the language of the panel. */
export function ModelProvider({ index, children }: { readonly index: ModelIndex; readonly children: ReactNode }) {
  const language = useLocale();
  const translate = useTranslate();
  const local = useMemo(() => {
    const model = modelIn(index.model, language);
    const { users } = model;
    if (!users) return model === index.model ? index : new ModelIndex(model);
    const names = { displayName: translate('people.user'), pluralDisplayName: translate('people.users') };
    return new ModelIndex({ ...model, users: { ...users, ...names } });
  }, [index, language, translate]);
  return <ModelContext value={local}>{children}</ModelContext>;
}

export function useModel(): ModelIndex {
  const index = useContext(ModelContext);
  if (!index) throw new Error('useModel is called outside of ModelProvider');
  return index;
}
