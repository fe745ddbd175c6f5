/** What the palette offers: commands of the form, types, new entries, screens, and entries by their title. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslate } from 'react-admin';
import { useExtraPages } from '../app/extra-pages.ts';
import type { FormCommand } from '../app/form-commands.ts';
import { useMay } from '../app/session.ts';
import { attributeType } from '../../../runtime/src/contract/attribute-types/scalar-type.ts';
import { type ContentType, isScalar, pluralOf, resourceOf } from '../model/model.ts';
import { useModel } from '../model/model-context.tsx';
import { inTurns } from '../rest/in-turns.ts';
import { viewPath } from '../rest/list-views.ts';
import { draftsQuery } from '../rest/entry-query.ts';
import { ask } from '../rest/request.ts';
import { refFields, refOf, type RestEntry } from '../rest/rest-entry.ts';
import { useRecentTypes } from './recent-types.ts';

export interface Choice {
  readonly id: string;
  /** The heading that it stands below. */
  readonly group: string;
  readonly label: string;
  readonly hint?: string;
  readonly icon?: ContentType['icon'];
  /** Where it leads, or what it does. */
  readonly to?: string;
  readonly run?: () => void;
}

/** The most types whose entries one search asks for, with a request each. */
const MAX_TYPES = 12;
/** How many entries of a type are shown. */
const PER_TYPE = 5;
/** Debounce interval, in milliseconds. */
const PAUSE = 250;
/** Shorter words find too much. */
const MIN_LENGTH = 2;
/** How many choices of a group are shown. */
const MAX_IN_GROUP = 8;

function hasTextTitle({ mainField, attributes, kind }: ContentType): boolean {
  const title = attributes[mainField];
  return (
    kind === 'collection' && title !== undefined && isScalar(title) && attributeType(title.type).operators === 'text'
  );
}

/** The types whose entries can be found by title: those opened last, then the others in order. */
function useSearchedTypes(): readonly ContentType[] {
  const { pages } = useModel();
  const may = useMay();
  const recent = useRecentTypes();
  const placeOf = ({ uid }: ContentType): number => (recent.includes(uid) ? recent.indexOf(uid) : recent.length);
  return pages
    .filter((type) => may(type.uid, 'find') && hasTextTitle(type))
    .map((type, at) => ({ type, at }))
    .sort((one, other) => placeOf(one.type) - placeOf(other.type) || one.at - other.at)
    .map(({ type }) => type);
}

function useFoundEntries(word: string) {
  const translate = useTranslate();
  const may = useMay();
  const all = useSearchedTypes();
  const types = all.slice(0, MAX_TYPES);
  const [asked, setAsked] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setAsked(word), PAUSE);
    return () => clearTimeout(timer);
  }, [word]);
  const isAsked = asked.length >= MIN_LENGTH;
  const { data, isFetching } = useQuery({
    queryKey: ['palette', asked],
    queryFn: async (): Promise<readonly Choice[]> => {
      const found = await inTurns(types, async (type) => {
        const answer = await ask<{ readonly data: readonly RestEntry[] } | readonly RestEntry[]>({
          path: resourceOf(type),
          query: {
            fields: refFields(type),
            filters: { [type.mainField]: { $containsi: asked } },
            pagination: { start: 0, limit: PER_TYPE, withCount: false },
            ...draftsQuery(type, may(type.uid, 'preview')),
          },
          isUnlisted: true,
        });
        return ('data' in answer ? answer.data : answer).map((entry): Choice => {
          const { id, title } = refOf(entry, type);
          const to = `/${resourceOf(type)}/${id}`;
          return {
            id: to,
            group: translate('palette.entries'),
            label: title,
            hint: type.displayName,
            icon: type.icon,
            to,
          };
        });
      });
      // What fails for one type is left out.
      return found.flatMap((choices) => choices ?? []);
    },
    enabled: isAsked,
    staleTime: 10_000,
    retry: false,
  });
  const isSearching = word.length >= MIN_LENGTH && (asked !== word || isFetching);
  return { entries: isAsked && asked === word ? (data ?? []) : [], isSearching, isCut: all.length > types.length };
}

function useFixedChoices(commands: readonly FormCommand[]): readonly Choice[] {
  const translate = useTranslate();
  const may = useMay();
  const index = useModel();
  const { pages } = index;
  const screens = useExtraPages();
  const screen = (to: string, label: string): Choice => ({ id: to, group: translate('palette.screens'), label, to });
  return [
    ...commands.map(({ label, run }) => ({ id: `do ${label}`, group: translate('palette.actions'), label, run })),
    ...pages.map((type) => ({
      id: `/${resourceOf(type)}`,
      group: translate('palette.types'),
      label: pluralOf(type),
      icon: type.icon,
      to: `/${resourceOf(type)}`,
    })),
    ...pages.flatMap((type) =>
      (type.views ?? []).map((view) => ({
        id: `${type.uid} ${view.name}`,
        group: translate('palette.types'),
        label: `${pluralOf(type)} · ${view.displayName ?? view.name}`,
        icon: type.icon,
        to: viewPath(type, view, index),
      })),
    ),
    ...pages
      .filter(({ kind, uid, draftAndPublish }) => {
        return kind === 'collection' && (may(uid, 'create') || (draftAndPublish && may(uid, 'draft')));
      })
      .map((type) => ({
        id: `/${resourceOf(type)}/create`,
        group: translate('palette.create'),
        label: translate('palette.createOf', { name: type.displayName }),
        icon: type.icon,
        to: `/${resourceOf(type)}/create`,
      })),
    screen('/', translate('palette.home')),
    screen('/account', translate('account.title')),
    ...screens.filter(({ to }) => to !== '/users').map(({ to, label }) => screen(to, label)),
  ];
}

/** All words of `text` begin or are within a word of the label. */
function matches({ label }: Choice, text: string): boolean {
  const name = label.toLowerCase();
  return text.split(/\s+/u).every((part) => name.includes(part));
}

export function usePaletteChoices(text: string, commands: readonly FormCommand[]) {
  const word = text.trim();
  const fixed = useFixedChoices(commands);
  const { entries, isSearching, isCut } = useFoundEntries(word);
  const counts = new Map<string, number>();
  const shown = fixed.filter((choice) => {
    if (!matches(choice, word.toLowerCase())) return false;
    const count = (counts.get(choice.group) ?? 0) + 1;
    counts.set(choice.group, count);
    return count <= MAX_IN_GROUP;
  });
  return {
    choices: [...shown, ...entries],
    isSearching,
    isCut: isCut && word.length >= MIN_LENGTH,
    searched: MAX_TYPES,
  };
}
