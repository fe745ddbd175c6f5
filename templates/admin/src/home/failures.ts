/** What has failed: plans, and for whoever looks after the server, webhooks and jobs of the last days. */
import { useQuery } from '@tanstack/react-query';
import { useTranslate } from 'react-admin';
import type { DeliveryReport, WebhookReport } from '../../../runtime/src/contract/events/webhook-report.ts';
import type { JobReport } from '../../../runtime/src/contract/jobs/job-report.ts';
import { useMay } from '../app/session.ts';
import { useModel } from '../model/model-context.tsx';
import { inTurns } from '../rest/in-turns.ts';
import { ask, serverTime } from '../rest/request.ts';
import { useRefusalTexts } from '../schedule/refusal-text.ts';
import { useTimeText } from '../schedule/time-text.ts';
import type { DeskRow } from './desk-list.tsx';
import { MAX_ROWS, type Plans, useEntryRow } from './planned.ts';

/** How long a job, or an event that was given up, is told, in milliseconds. */
const RECENT = 7 * 24 * 60 * 60 * 1000;

/** Of how many webhooks the events are asked for. */
const MAX_WEBHOOKS = 5;

interface Failure {
  readonly at: string;
  readonly row: DeskRow;
}

interface Failures {
  readonly rows: readonly DeskRow[];
  readonly more: number;
  /** The names of what could not be read. */
  readonly failed: readonly string[];
}

function isRecent(time: string): boolean {
  return new Date(time).getTime() > (serverTime() ?? Date.now()) - RECENT;
}

interface FailedWebhook {
  readonly webhook: WebhookReport;
  readonly givenUp: readonly DeliveryReport[];
}

async function readWebhooks(): Promise<readonly FailedWebhook[]> {
  const { data } = await ask<{ readonly data: readonly WebhookReport[] }>({ path: '_webhooks', isUnlisted: true });
  const given = await inTurns(data.slice(0, MAX_WEBHOOKS), async ({ name }) => {
    const query = { receiver: name, state: 'given-up' };
    const answer = await ask<{ readonly data: readonly DeliveryReport[] }>({
      path: '_webhooks/deliveries',
      query,
      isUnlisted: true,
    });
    return answer.data.filter(({ since }) => isRecent(since));
  });
  return data.map((webhook, at) => ({ webhook, givenUp: given[at] ?? [] }));
}

async function readJobs(): Promise<readonly JobReport[]> {
  const query = { state: 'failed' };
  const { data } = await ask<{ readonly data: readonly JobReport[] }>({ path: '_jobs', query, isUnlisted: true });
  return data.filter(({ dueAt }) => isRecent(dueAt));
}

/** Reads one of both, if the server has it and the role may see its page. */
function useOperationOf<T>(kind: 'webhooks' | 'jobs', read: () => Promise<readonly T[]>) {
  const { model } = useModel();
  const enabled = useMay()(kind, 'find') && model[kind] === true;
  return useQuery({ queryKey: ['home', kind], queryFn: read, enabled, staleTime: 0, retry: false });
}

function useWebhookFailures() {
  const translate = useTranslate();
  const timeText = useTimeText();
  const { data = [], isError } = useOperationOf('webhooks', readWebhooks);
  const failures = data.flatMap(({ webhook, givenUp }): Failure[] => {
    const { name, disabledAt, reason, failures: count } = webhook;
    // What was given up last is the first.
    const at = disabledAt ?? givenUp[0]?.since ?? (count > 0 ? new Date().toISOString() : undefined);
    if (at === undefined) return [];
    const isFailing = disabledAt === null && count > 0;
    const about = [
      translate('webhooks.title'),
      ...(disabledAt === null
        ? []
        : [translate('webhooks.disabled', { time: timeText(disabledAt), reason: reason ?? '' })]),
      ...(isFailing ? [translate('webhooks.failing', { smart_count: count })] : []),
      ...(givenUp.length > 0 ? [translate('home.givenUp', { smart_count: givenUp.length })] : []),
    ].join(' · ');
    return [{ at, row: { key: `webhook ${name}`, to: '/webhooks', title: name, about } }];
  });
  return { failures, isError };
}

function useJobFailures() {
  const translate = useTranslate();
  const timeText = useTimeText();
  const { data = [], isError } = useOperationOf('jobs', readJobs);
  const failures = data.map(({ id, name, key, dueAt, failures: all }): Failure => {
    const reason = all.at(-1)?.error;
    return {
      at: dueAt,
      row: {
        key: `job ${id}`,
        to: '/jobs',
        title: [name, key].filter((text) => text !== null).join(' · '),
        about: translate('home.jobFailed', { time: timeText(dueAt) }),
        ...(reason !== undefined && { reason }),
      },
    };
  });
  return { failures, isError };
}

function usePlanFailures({ entries, releases }: Plans): readonly Failure[] {
  const translate = useTranslate();
  const timeText = useTimeText();
  const refusalTexts = useRefusalTexts();
  const index = useModel();
  const refused = entries.filter(({ schedule }) => schedule.refusals.length > 0).slice(0, MAX_ROWS);
  const entryRow = useEntryRow(refused);
  return [
    ...refused.flatMap((entry) =>
      entry.schedule.refusals.map((refusal): Failure => {
        const about = translate(`home.${refusal.action}Refused`, { time: timeText(refusal.at) });
        const reason = refusalTexts(entry.type, refusal).join(' · ');
        return { at: refusal.at, row: { ...entryRow(entry, refusal.action), about, reason } };
      }),
    ),
    ...releases.flatMap(({ id, name, state, at, items, refusals: [first] }): Failure[] => {
      if (state !== 'open' || !first || at === null) return [];
      const about = `${translate('releases.release')} · ${translate('home.publishRefused', { time: timeText(at) })}`;
      const reason = refusalTexts(index.type(items[first.item]?.type), first).join(' · ');
      return [{ at, row: { key: `release ${id}`, to: `/releases/${id}`, title: name, about, reason } }];
    }),
  ];
}

export function useFailures(plans: Plans): Failures {
  const translate = useTranslate();
  const planned = usePlanFailures(plans);
  const webhooks = useWebhookFailures();
  const jobs = useJobFailures();
  const all = [...planned, ...webhooks.failures, ...jobs.failures].sort((one, other) => (one.at < other.at ? 1 : -1));
  return {
    rows: all.slice(0, MAX_ROWS).map(({ row }) => row),
    more: Math.max(0, all.length - MAX_ROWS),
    failed: [
      ...(webhooks.isError ? [translate('webhooks.title')] : []),
      ...(jobs.isError ? [translate('jobs.title')] : []),
    ],
  };
}
