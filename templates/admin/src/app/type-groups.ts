/** The types by the groups of the schema, in the menu and on the start page. */
import { useMemo } from 'react';
import { useLocale, useTranslate } from 'react-admin';
import type { PanelLanguage } from '../../../runtime/src/contract/panel-texts.ts';
import type { ContentType, Model } from '../model/model.ts';
import { useModel } from '../model/model-context.tsx';

export interface TypeGroup {
  /** Identifies the group in every language. */
  readonly id: string;
  readonly name: string;
  readonly types: readonly ContentType[];
}

/** The names of groups that the schema does not name. */
interface GroupWords {
  readonly lists: string;
  /** In place of `lists`, below the groups of the schema. */
  readonly others: string;
  readonly singles: string;
}

/** The name of a group in a language: that of the first type that says it. */
function groupName(types: readonly ContentType[], name: string, language: string): string {
  return types.flatMap(({ texts }) => texts?.[language as PanelLanguage]?.group ?? [])[0] ?? name;
}

/** The groups of the schema, and below them the types without a group. By name, unless the schema orders the types. */
function typeGroups(
  { types, isOrdered }: Pick<Model, 'types' | 'isOrdered'>,
  { lists, others, singles }: GroupWords,
  language: string,
): readonly TypeGroup[] {
  const ofGroup = (group: string | undefined): readonly ContentType[] => types.filter((type) => type.group === group);
  const named = [...new Set(types.flatMap(({ group }) => group ?? []))];
  const names = isOrdered ? named : named.sort();
  const rest = ofGroup(undefined);
  const groups = [
    ...names.map((name) => ({
      id: `group ${name}`,
      name: groupName(ofGroup(name), name, language),
      types: ofGroup(name),
    })),
    { id: 'lists', name: names.length > 0 ? others : lists, types: rest.filter(({ kind }) => kind === 'collection') },
    { id: 'singles', name: singles, types: rest.filter(({ kind }) => kind === 'single') },
  ];
  return groups.filter((group) => group.types.length > 0);
}

export function useTypeGroups(): readonly TypeGroup[] {
  const translate = useTranslate();
  const language = useLocale();
  const { model } = useModel();
  return useMemo(() => {
    const words = {
      lists: translate('menu.lists'),
      others: translate('menu.others'),
      singles: translate('menu.singles'),
    };
    return typeGroups(model, words, language);
  }, [model, translate, language]);
}
