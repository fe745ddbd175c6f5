/** What has failed, if anything has, and what is planned. */
import Alert from '@mui/material/Alert';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { useTranslate } from 'react-admin';
import { DeskList, type DeskRow } from './desk-list.tsx';
import { useFailures } from './failures.ts';
import { usePlannedRows, usePlans } from './planned.ts';

interface Props {
  readonly kind: 'planned' | 'failures';
  readonly rows: readonly DeskRow[];
  /** How many rows were left out. */
  readonly more: number;
  /** The names of what could not be read. */
  readonly failed: readonly string[];
}

function Panel({ kind, rows, more, failed }: Props) {
  const translate = useTranslate();
  const title = translate(`home.${kind}`);
  return (
    <Paper component="section" variant="outlined" aria-label={title} sx={{ minWidth: 0, overflow: 'hidden' }}>
      <Typography component="h2" variant="h6" sx={{ px: 2, py: 1.5, borderBottom: 1, borderColor: 'divider' }}>
        {title}
      </Typography>
      {failed.length > 0 && <Alert severity="warning">{translate('home.unread', { names: failed.join(', ') })}</Alert>}
      {rows.length === 0 && failed.length === 0 && (
        <Typography sx={{ p: 3, color: 'text.secondary' }}>{translate('home.nothing')}</Typography>
      )}
      <DeskList label={title} rows={rows} />
      {more > 0 && (
        <Typography variant="body2" color="text.secondary" sx={{ p: 2 }}>
          {translate('home.more', { smart_count: more })}
        </Typography>
      )}
    </Paper>
  );
}

export function PlanPanels() {
  const plans = usePlans();
  const planned = usePlannedRows(plans);
  const failures = useFailures(plans);
  const hasFailed = failures.rows.length > 0 || failures.failed.length > 0;
  return (
    <>
      {hasFailed && <Panel kind="failures" {...failures} />}
      {plans.isThere && plans.isLoaded && <Panel kind="planned" {...planned} failed={plans.failed} />}
    </>
  );
}
