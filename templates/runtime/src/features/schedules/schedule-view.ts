/** Schedules as answers show them. */
import type { PublicationRow, ScheduledAction } from './publication-rows.ts';
import type { Refusal } from './refusal.ts';

export interface ScheduleView {
  readonly publishAt: string | null;
  readonly unpublishAt: string | null;
  readonly refusals: readonly (Refusal & { readonly action: ScheduledAction; readonly at: string })[];
}

export function timeText(time: number): string {
  return new Date(time).toISOString();
}

export function scheduleView(rows: readonly PublicationRow[]): ScheduleView {
  const timeOf = (action: ScheduledAction): string | null => {
    const row = rows.find((one) => one.action === action && !one.isRefused);
    return row ? timeText(row.plannedAt) : null;
  };
  return {
    publishAt: timeOf('publish'),
    unpublishAt: timeOf('unpublish'),
    refusals: rows
      .filter(({ isRefused }) => isRefused)
      .map(({ action, plannedAt, refusal }) => ({
        action,
        at: timeText(plannedAt),
        ...(refusal ?? { message: 'It was refused' }),
      })),
  };
}
