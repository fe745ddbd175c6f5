/** What is published or taken back by itself: entries and releases, by two requests and one for the titles of each type. */
import { useTranslate } from 'react-admin';
import { useMay } from '../app/session.ts';
import { type ContentType, resourceOf } from '../model/model.ts';
import { useModel } from '../model/model-context.tsx';
import { type Release, type ReleaseAction, useHasReleases, useReleases, useTitles } from '../releases/releases.ts';
import { type ListedSchedule, useAllSchedules, useMayScheduleSome } from '../schedule/schedules.ts';
import { useTimeText } from '../schedule/time-text.ts';
import type { DeskRow } from './desk-list.tsx';

/** How many rows a panel has. */
export const MAX_ROWS = 8;

/** A schedule of an entry that the role may find. */
export interface PlannedEntry {
  readonly type: ContentType;
  readonly schedule: ListedSchedule;
}

export interface Plans {
  /** Whether the role has schedules or releases. */
  readonly isThere: boolean;
  readonly isLoaded: boolean;
  /** The names of what could not be read. */
  readonly failed: readonly string[];
  readonly entries: readonly PlannedEntry[];
  readonly releases: readonly Release[];
}

export function usePlans(): Plans {
  const translate = useTranslate();
  const index = useModel();
  const may = useMay();
  const hasReleases = useHasReleases();
  const maySchedule = useMayScheduleSome();
  const schedules = useAllSchedules(maySchedule);
  const releases = useReleases(hasReleases);
  return {
    isThere: hasReleases || maySchedule,
    isLoaded: !schedules.isLoading && !releases.isLoading,
    failed: [
      ...(schedules.isError ? [translate('schedule.title')] : []),
      ...(releases.isError ? [translate('releases.title')] : []),
    ],
    entries: (schedules.data ?? []).flatMap((schedule) => {
      const type = index.type(schedule.type);
      return type && may(type.uid, 'find') ? [{ type, schedule }] : [];
    }),
    releases: releases.data ?? [],
  };
}

/** Returns a function for the row of an entry, whose titles are read at once. */
export function useEntryRow(entries: readonly PlannedEntry[]) {
  const titleOf = useTitles(entries.map(({ schedule: { type, id } }) => ({ type, id, action: 'publish' })));
  return ({ type, schedule: { id, locale } }: PlannedEntry, action: ReleaseAction): Omit<DeskRow, 'about'> => ({
    key: `${type.uid} ${id} ${action}`,
    to: type.kind === 'single' ? `/${resourceOf(type)}` : `/${resourceOf(type)}/${id}`,
    title: [titleOf({ type: type.uid, id, action }), locale].filter((text) => text !== undefined).join(' · '),
    type,
  });
}

/** What is planned, the next first, and how many rows were left out. */
export function usePlannedRows({ entries, releases }: Plans): {
  readonly rows: readonly DeskRow[];
  readonly more: number;
} {
  const translate = useTranslate();
  const timeText = useTimeText();
  const planned = [
    ...entries.flatMap((entry) =>
      (['publish', 'unpublish'] as const).flatMap((action) => {
        const at = entry.schedule[`${action}At`];
        return at === null || entry.schedule.refusals.some((refusal) => refusal.action === action)
          ? []
          : [{ at, action, entry }];
      }),
    ),
    ...releases.flatMap((release) =>
      release.state === 'planned' && release.at !== null ? [{ at: release.at, release }] : [],
    ),
  ].sort((one, other) => (one.at < other.at ? -1 : 1));
  const shown = planned.slice(0, MAX_ROWS);
  const entryRow = useEntryRow(shown.flatMap((one) => ('entry' in one ? [one.entry] : [])));
  const rows = shown.map((one): DeskRow => {
    const time = timeText(one.at);
    if ('entry' in one) {
      const { entry, action } = one;
      return { ...entryRow(entry, action), about: translate(`schedule.${action}es`, { time }) };
    }
    const { id, name } = one.release;
    return {
      key: `release ${id}`,
      to: `/releases/${id}`,
      title: name,
      about: `${translate('releases.release')} · ${translate('releases.planned', { time })}`,
    };
  });
  return { rows, more: planned.length - rows.length };
}
