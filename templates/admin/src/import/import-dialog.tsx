/** Imports a CSV file: its columns, what would be refused, and the entries. Loaded on demand. */
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import LinearProgress from '@mui/material/LinearProgress';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useRefresh, useTranslate } from 'react-admin';
import { type ContentType, pluralOf } from '../model/model.ts';
import { ColumnsStep } from './columns-step.tsx';
import { FileStep } from './file-step.tsx';
import { Refusals } from './refusals.tsx';
import { type Import, isRunning, useImport } from './use-import.ts';

interface Props {
  readonly type: ContentType;
  /** The locale of the list. */
  readonly locale: string | undefined;
  readonly onClose: () => void;
}

/** How many rows are without a refusal. */
function goodRows({ checked }: Import): number {
  if (!checked) return 0;
  const refused = new Set(checked.refusals.map(({ line }) => line));
  return checked.writes.filter(({ line }) => !refused.has(line)).length;
}

/** How many rows are to be sent by an import that has begun. */
function rowsToSend({ checked, state }: Import): number {
  const skipped = new Set(state?.skipped);
  return checked?.writes.filter(({ line }) => !skipped.has(line)).length ?? 0;
}

function Progress({ done, of, text }: { readonly done: number; readonly of: number; readonly text: string }) {
  return (
    <Stack sx={{ gap: 1 }} role="status">
      <Typography>{text}</Typography>
      <LinearProgress variant="determinate" value={of === 0 ? 0 : (100 * done) / of} aria-label={text} />
    </Stack>
  );
}

function CheckedStep({ it }: { readonly it: Import }) {
  const translate = useTranslate();
  const { checked, opened } = it;
  if (!checked || !opened) return null;
  const good = goodRows(it);
  const bad = opened.table.rows.length - good;
  return (
    <Stack sx={{ gap: 2 }}>
      <Alert severity={bad === 0 ? 'success' : 'warning'} role="status">
        {bad === 0
          ? translate('csv.allGood', { smart_count: good })
          : translate('csv.someBad', { smart_count: bad, good })}
      </Alert>
      <Refusals refusals={checked.refusals} fileName={opened.file.name} />
    </Stack>
  );
}

function Report({ it }: { readonly it: Import }) {
  const translate = useTranslate();
  const { state, opened, checked } = it;
  if (!state || !opened || !checked) return null;
  const { created, updated, replayed, refused, skipped } = state;
  const left = new Set([...skipped, ...refused.map(({ line }) => line)]).size;
  return (
    <Stack sx={{ gap: 2 }}>
      <Alert severity={left === 0 ? 'success' : 'warning'} role="status">
        {translate('csv.report', { created, updated, left })}
      </Alert>
      {replayed > 0 && <Alert severity="info">{translate('csv.replayed', { smart_count: replayed })}</Alert>}
      <Refusals refusals={[...checked.refusals, ...refused]} fileName={opened.file.name} />
    </Stack>
  );
}

function Body({ type, it }: { readonly type: ContentType; readonly it: Import }) {
  const translate = useTranslate();
  const { step, opened, done, state } = it;
  if (step === 'file' || !opened) return <FileStep {...it} />;
  if (step === 'columns') return <ColumnsStep type={type} of={{ ...it, opened }} />;
  if (step === 'checking') {
    const of = opened.table.rows.length;
    return <Progress done={done} of={of} text={translate('csv.checking', { done, of })} />;
  }
  if (step === 'checked') return <CheckedStep it={it} />;
  if (step === 'done') return <Report it={it} />;
  const [sent, all] = [state?.next ?? 0, rowsToSend(it)];
  return <Progress done={sent} of={all} text={translate('csv.importing', { done: sent, of: all })} />;
}

function Actions({ it, onClose }: { readonly it: Import; readonly onClose: () => void }) {
  const translate = useTranslate();
  const { step, opened, state } = it;
  const good = goodRows(it);
  return (
    <DialogActions>
      {isRunning(it) ? (
        <Button onClick={it.stop}>{translate('csv.stop')}</Button>
      ) : (
        <Button onClick={onClose}>{translate('ra.action.close')}</Button>
      )}
      {step === 'checked' && <Button onClick={it.back}>{translate('csv.back')}</Button>}
      {step === 'columns' && opened && (
        <Button
          variant="contained"
          disabled={Object.keys(opened.settings.columns).length === 0}
          onClick={() => void it.check()}
        >
          {translate('csv.check')}
        </Button>
      )}
      {step === 'checked' && (
        <Button variant="contained" disabled={good === 0} onClick={() => it.start()}>
          {translate('csv.start', { smart_count: good })}
        </Button>
      )}
      {step === 'paused' && <Button onClick={it.forget}>{translate('csv.forget')}</Button>}
      {step === 'paused' && (
        <Button variant="contained" onClick={it.resume}>
          {translate('csv.resume')}
        </Button>
      )}
      {step === 'done' && state && state.replayed > 0 && (
        <Button onClick={() => it.start(state.run + 1)}>{translate('csv.again')}</Button>
      )}
    </DialogActions>
  );
}

export default function ImportDialog({ type, locale, onClose }: Props) {
  const translate = useTranslate();
  const refresh = useRefresh();
  const it = useImport(type, locale);
  const close = (): void => {
    if (isRunning(it)) return;
    refresh();
    onClose();
  };
  return (
    <Dialog open fullWidth maxWidth="lg" onClose={close} aria-labelledby="import-title">
      <DialogTitle id="import-title">{translate('csv.title', { name: pluralOf(type) })}</DialogTitle>
      <DialogContent>
        {it.problem !== undefined && (
          <Alert severity="error" sx={{ mb: 2 }}>
            {it.problem}
          </Alert>
        )}
        <Body type={type} it={it} />
      </DialogContent>
      <Actions it={it} onClose={close} />
    </Dialog>
  );
}
