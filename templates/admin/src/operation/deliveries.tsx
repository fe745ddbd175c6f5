/** The last events for a webhook, with their tries. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { DELIVERY_STATES, type DeliveryReport } from '../../../runtime/src/contract/events/webhook-report.ts';
import { useMay } from '../app/session.ts';
import { EntryProblem } from '../entry/entry-problem.tsx';
import { ask } from '../rest/request.ts';
import { StateChoice } from './state-choice.tsx';
import { useTimeText } from './time-cell.tsx';
import { useOperation } from './use-operation.ts';

type State = DeliveryReport['state'];

function Tries({ tries, dueAt }: Pick<DeliveryReport, 'tries' | 'dueAt'>) {
  const translate = useTranslate();
  const timeText = useTimeText();
  return (
    <>
      {tries.map(({ at, took, status, error }) => (
        <Box key={at} sx={{ overflowWrap: 'anywhere' }}>
          {[timeText(at), status ?? error ?? translate('webhooks.noAnswer'), `${took} ms`].join(' · ')}
        </Box>
      ))}
      {dueAt !== null && <Box>{translate('webhooks.due', { time: timeText(dueAt) })}</Box>}
    </>
  );
}

function Row({ receiver, delivery }: { readonly receiver: string; readonly delivery: DeliveryReport }) {
  const translate = useTranslate();
  const timeText = useTimeText();
  const may = useMay();
  const { isBusy, run } = useOperation('webhooks');
  const { id, event, type, entryId, since, state, tries, dueAt } = delivery;
  const replay = async (): Promise<string> => {
    const body = { receiver, ids: [id] };
    type Answer = { readonly data: { readonly count: number } };
    const { data } = await ask<Answer>({ method: 'POST', path: '_webhooks/replay', body });
    return translate('webhooks.replayed', { smart_count: data.count });
  };
  return (
    <TableRow>
      <TableCell component="th" scope="row">
        {timeText(since)}
      </TableCell>
      <TableCell>{event}</TableCell>
      <TableCell>{[type, entryId > 0 ? entryId : ''].join(' ').trim()}</TableCell>
      <TableCell>{translate(`webhooks.states.${state}`)}</TableCell>
      <TableCell>
        <Tries tries={tries} dueAt={dueAt} />
      </TableCell>
      <TableCell align="right">
        {state !== 'pending' && may('webhooks', 'update') && (
          <Button
            size="small"
            disabled={isBusy}
            aria-label={translate('webhooks.replay', { id })}
            onClick={() => run(replay)}
          >
            {translate('webhooks.again')}
          </Button>
        )}
      </TableCell>
    </TableRow>
  );
}

export function Deliveries({ receiver }: { readonly receiver: string }) {
  const translate = useTranslate();
  const [state, setState] = useState<State>();
  const query = new URLSearchParams({ receiver, ...(state && { state }) }).toString();
  const { data, error, refetch } = useQuery({
    queryKey: ['webhooks', 'deliveries', query],
    queryFn: () => ask<{ readonly data: readonly DeliveryReport[] }>({ path: `_webhooks/deliveries?${query}` }),
    retry: false,
  });
  const nameOf = (one: State | undefined) => translate(one ? `webhooks.states.${one}` : 'webhooks.all');
  return (
    <Box sx={{ mt: 2 }}>
      <StateChoice
        label={translate('webhooks.state')}
        states={DELIVERY_STATES}
        value={state}
        nameOf={nameOf}
        onChange={setState}
      />
      {!data && <EntryProblem error={error} onRetry={refetch} />}
      {data?.data.length === 0 && <Typography sx={{ mt: 2 }}>{translate('webhooks.none')}</Typography>}
      {data && data.data.length > 0 && (
        <TableContainer tabIndex={0} role="region" aria-label={translate('webhooks.deliveries')}>
          <Table size="small">
            <TableHead>
              <TableRow>
                <TableCell>{translate('webhooks.time')}</TableCell>
                <TableCell>{translate('webhooks.event')}</TableCell>
                <TableCell>{translate('webhooks.subject')}</TableCell>
                <TableCell>{translate('webhooks.state')}</TableCell>
                <TableCell>{translate('webhooks.tries')}</TableCell>
                <TableCell component="td" />
              </TableRow>
            </TableHead>
            <TableBody>
              {data.data.map((delivery) => (
                <Row key={delivery.id} receiver={receiver} delivery={delivery} />
              ))}
            </TableBody>
          </Table>
        </TableContainer>
      )}
    </Box>
  );
}
