/** The webhooks: how each is told, its last events, and what can be done about it. */
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import Paper from '@mui/material/Paper';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Title, useTranslate } from 'react-admin';
import type { WebhookReport, WebhookTest } from '../../../runtime/src/contract/events/webhook-report.ts';
import { useMay } from '../app/session.ts';
import { EntryProblem } from '../entry/entry-problem.tsx';
import { ask } from '../rest/request.ts';
import { Deliveries } from './deliveries.tsx';
import { useTimeText } from './time-cell.tsx';
import { useOperation } from './use-operation.ts';

function StateText({ webhook: { disabledAt, reason, failures, waiting } }: { readonly webhook: WebhookReport }) {
  const translate = useTranslate();
  const timeText = useTimeText();
  const state =
    disabledAt !== null
      ? translate('webhooks.disabled', { time: timeText(disabledAt), reason: reason === null ? '' : `(${reason})` })
      : translate(failures > 0 ? 'webhooks.failing' : 'webhooks.told', { smart_count: failures });
  const color = disabledAt !== null ? 'default' : failures > 0 ? 'warning' : 'success';
  return (
    <>
      <Chip size="small" variant="outlined" color={color} label={state} />
      <Typography variant="body2" color="text.secondary">
        {translate('webhooks.waiting', { smart_count: waiting })}
      </Typography>
    </>
  );
}

function Commands({ webhook: { name, disabledAt } }: { readonly webhook: WebhookReport }) {
  const translate = useTranslate();
  const { isBusy, run } = useOperation('webhooks');
  const post = <T,>(command: string) =>
    ask<T>({ method: 'POST', path: `_webhooks/${command}`, body: { receiver: name } });
  const test = async (): Promise<string> => {
    const { data } = await post<{ readonly data: WebhookTest }>('test');
    return translate(data.status === null ? 'webhooks.testFailed' : 'webhooks.testAnswered', { name, ...data });
  };
  const replayFailed = async (): Promise<string> => {
    const { data } = await post<{ readonly data: { readonly count: number } }>('replay');
    return translate('webhooks.replayed', { smart_count: data.count });
  };
  const turn = async (): Promise<undefined> => {
    await post(disabledAt === null ? 'disable' : 'enable');
  };
  return (
    <Stack direction="row" useFlexGap sx={{ flexWrap: 'wrap', gap: 1 }}>
      <Button size="small" disabled={isBusy} onClick={() => run(test)}>
        {translate('webhooks.test')}
      </Button>
      <Button size="small" disabled={isBusy} onClick={() => run(replayFailed)}>
        {translate('webhooks.replayFailed')}
      </Button>
      <Button size="small" disabled={isBusy} onClick={() => run(turn)}>
        {translate(disabledAt === null ? 'webhooks.disable' : 'webhooks.enable')}
      </Button>
    </Stack>
  );
}

function Webhook({ webhook }: { readonly webhook: WebhookReport }) {
  const translate = useTranslate();
  const may = useMay();
  const [isOpen, setOpen] = useState(false);
  const { name, events, types } = webhook;
  return (
    <Paper component="section" variant="outlined" aria-label={name} sx={{ p: 2 }}>
      <Stack direction="row" useFlexGap sx={{ flexWrap: 'wrap', gap: 1.5, alignItems: 'center' }}>
        <Typography component="h2" variant="h6">
          {name}
        </Typography>
        <StateText webhook={webhook} />
      </Stack>
      <Typography variant="body2" color="text.secondary" sx={{ my: 1 }}>
        {[events.join(', '), types.join(', ')].filter((text) => text !== '').join(' · ')}
      </Typography>
      <Stack direction="row" useFlexGap sx={{ flexWrap: 'wrap', gap: 1, justifyContent: 'space-between' }}>
        <Button size="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {translate('webhooks.deliveries')}
        </Button>
        {may('webhooks', 'update') && <Commands webhook={webhook} />}
      </Stack>
      {isOpen && <Deliveries receiver={name} />}
    </Paper>
  );
}

export default function WebhooksPage() {
  const translate = useTranslate();
  const { data, error, refetch } = useQuery({
    queryKey: ['webhooks'],
    queryFn: () => ask<{ readonly data: readonly WebhookReport[] }>({ path: '_webhooks' }),
    retry: false,
  });
  return (
    <>
      <Title title={translate('webhooks.title')} />
      {!data && <EntryProblem error={error} onRetry={refetch} />}
      <Stack sx={{ gap: 2, py: 2 }}>
        {data?.data.map((webhook) => (
          <Webhook key={webhook.name} webhook={webhook} />
        ))}
      </Stack>
    </>
  );
}
