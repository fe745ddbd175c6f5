/** The jobs: next turns of schedules, and the last jobs with what failed. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Confirm, Title, useTranslate } from 'react-admin';
import { JOB_STATES, type JobReport, type JobSchedule } from '../../../runtime/src/contract/jobs/job-report.ts';
import { useMay } from '../app/session.ts';
import { EntryProblem } from '../entry/entry-problem.tsx';
import { ask } from '../rest/request.ts';
import { StateChoice } from './state-choice.tsx';
import { useTimeText } from './time-cell.tsx';
import { useOperation } from './use-operation.ts';

type State = JobReport['state'];

interface Answer {
  readonly data: readonly JobReport[];
  readonly meta: { readonly schedules: readonly JobSchedule[] };
}

function Schedules({ schedules }: { readonly schedules: readonly JobSchedule[] }) {
  const translate = useTranslate();
  const timeText = useTimeText();
  return (
    <>
      <Typography component="h2" variant="h6" sx={{ mt: 2, mb: 1 }}>
        {translate('jobs.schedules')}
      </Typography>
      <TableContainer component={Paper} variant="outlined">
        <Table size="small">
          <TableHead>
            <TableRow>
              <TableCell>{translate('jobs.name')}</TableCell>
              <TableCell>{translate('jobs.expression')}</TableCell>
              <TableCell>{translate('jobs.next')}</TableCell>
            </TableRow>
          </TableHead>
          <TableBody>
            {schedules.map(({ name, expression, nextAt }) => (
              <TableRow key={name}>
                <TableCell component="th" scope="row">
                  {name}
                </TableCell>
                <TableCell>{expression}</TableCell>
                <TableCell>{nextAt === null ? '–' : timeText(nextAt)}</TableCell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </TableContainer>
    </>
  );
}

function Commands({ id }: Pick<JobReport, 'id'>) {
  const translate = useTranslate();
  const may = useMay();
  const { isBusy, run } = useOperation('jobs');
  const [isAsked, setAsked] = useState(false);
  const retry = async (): Promise<string> => {
    await ask({ method: 'POST', path: `_jobs/${id}/actions/retry` });
    return translate('jobs.retried');
  };
  const remove = async (): Promise<string> => {
    setAsked(false);
    await ask({ method: 'DELETE', path: `_jobs/${id}` });
    return translate('jobs.removed');
  };
  return (
    <>
      {may('jobs', 'update') && (
        <Button size="small" disabled={isBusy} aria-label={translate('jobs.retry', { id })} onClick={() => run(retry)}>
          {translate('jobs.again')}
        </Button>
      )}
      {may('jobs', 'delete') && (
        <Button
          size="small"
          color="error"
          disabled={isBusy}
          aria-label={translate('jobs.remove', { id })}
          onClick={() => setAsked(true)}
        >
          {translate('ra.action.remove')}
        </Button>
      )}
      <Confirm
        isOpen={isAsked}
        title={translate('jobs.removeTitle', { id })}
        content={translate('jobs.removeExplained')}
        onConfirm={() => run(remove)}
        onClose={() => setAsked(false)}
      />
    </>
  );
}

function Row({ job: { id, name, key, state, isRunning, dueAt, attempts, failures } }: { readonly job: JobReport }) {
  const translate = useTranslate();
  const timeText = useTimeText();
  return (
    <TableRow>
      <TableCell component="th" scope="row">
        {[name, key].filter((text) => text !== null).join(' · ')}
      </TableCell>
      <TableCell>{translate(`jobs.states.${isRunning ? 'running' : state}`)}</TableCell>
      <TableCell>{timeText(dueAt)}</TableCell>
      <TableCell>{attempts}</TableCell>
      <TableCell>
        {failures.map(({ at, error }) => (
          <Box key={at} sx={{ overflowWrap: 'anywhere' }}>
            {`${timeText(at)} · ${error}`}
          </Box>
        ))}
      </TableCell>
      <TableCell align="right" sx={{ whiteSpace: 'nowrap' }}>
        {!isRunning && <Commands id={id} />}
      </TableCell>
    </TableRow>
  );
}

function Jobs({ jobs }: { readonly jobs: readonly JobReport[] }) {
  const translate = useTranslate();
  if (jobs.length === 0) return <Typography sx={{ mt: 2 }}>{translate('jobs.none')}</Typography>;
  return (
    <TableContainer component={Paper} variant="outlined" sx={{ mt: 1 }}>
      <Table size="small">
        <TableHead>
          <TableRow>
            <TableCell>{translate('jobs.name')}</TableCell>
            <TableCell>{translate('jobs.state')}</TableCell>
            <TableCell>{translate('jobs.time')}</TableCell>
            <TableCell>{translate('jobs.attempts')}</TableCell>
            <TableCell>{translate('jobs.failures')}</TableCell>
            <TableCell component="td" />
          </TableRow>
        </TableHead>
        <TableBody>
          {jobs.map((job) => (
            <Row key={job.id} job={job} />
          ))}
        </TableBody>
      </Table>
    </TableContainer>
  );
}

export default function JobsPage() {
  const translate = useTranslate();
  const [state, setState] = useState<State>();
  const { data, error, refetch } = useQuery({
    queryKey: ['jobs', state],
    queryFn: () => ask<Answer>({ path: state ? `_jobs?state=${state}` : '_jobs' }),
    retry: false,
  });
  const nameOf = (one: State | undefined) => translate(one ? `jobs.states.${one}` : 'jobs.all');
  return (
    <>
      <Title title={translate('jobs.title')} />
      {data && data.meta.schedules.length > 0 && <Schedules schedules={data.meta.schedules} />}
      <Typography component="h2" variant="h6" sx={{ mt: 3, mb: 1 }}>
        {translate('jobs.last')}
      </Typography>
      <StateChoice
        label={translate('jobs.state')}
        states={JOB_STATES}
        value={state}
        nameOf={nameOf}
        onChange={setState}
      />
      {!data && <EntryProblem error={error} onRetry={refetch} />}
      {data && <Jobs jobs={data.data} />}
    </>
  );
}
