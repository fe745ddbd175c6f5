/** The types by the groups of the schema, in the menu and on the start page. */
import { useMemo } from 'react';
import { useTranslate } from 'react-admin';
import type { ContentType } from '../model/model.ts';
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

/** The groups of the schema by name, and below them the types without a group. */
function typeGroups(types: readonly ContentType[], { lists, others, singles }: GroupWords): readonly TypeGroup[] {
  const ofGroup = (group: string | undefined): readonly ContentType[] => types.filter((type) => type.group === group);
  const names = [...new Set(types.flatMap(({ group }) => group ?? []))].sort();
  const rest = ofGroup(undefined);
  const groups = [
    ...names.map((name) => ({ id: `group ${name}`, name, types: ofGroup(name) })),
    { id: 'lists', name: names.length > 0 ? others : lists, types: rest.filter(({ kind }) => kind === 'collection') },
    { id: 'singles', name: singles, types: rest.filter(({ kind }) => kind === 'single') },
  ];
  return groups.filter((group) => group.types.length > 0);
}

export function useTypeGroups(): readonly TypeGroup[] {
  const translate = useTranslate();
  const { model } = useModel();
  return useMemo(() => {
    const words = {
      lists: translate('menu.lists'),
      others: translate('menu.others'),
      singles: translate('menu.singles'),
    };
    return typeGroups(model.types, words);
  }, [model, translate]);
}
