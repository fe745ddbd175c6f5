/** Shown when someone else has saved the entry since it was read: compares both versions and lets the user choose. */
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogContentText from '@mui/material/DialogContentText';
import DialogTitle from '@mui/material/DialogTitle';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import { useQuery } from '@tanstack/react-query';
import { useTranslate } from 'react-admin';
import { useFormContext } from 'react-hook-form';
import { ReadProblem } from '../app/read-problem.tsx';
import { textOf } from '../model/text-of.ts';
import { type Attribute, enumLabelOf, isScalar, labelOf } from '../model/model.ts';
import type { FormValues } from '../rest/form-values.ts';
import type { EntryTarget } from './entry-target.ts';
import { useReadEntry } from './load-entry.ts';

interface Props {
  readonly target: EntryTarget;
  readonly onTakeTheirs: () => void;
  /** `over`: ETag of the saved version shown, which may be overwritten. */
  readonly onTakeMine: (over: string | undefined) => void;
  readonly onClose: () => void;
}

const MAX_CHARACTERS = 300;

function shown(attribute: Attribute | undefined, value: unknown): string {
  const isLabelled = attribute && isScalar(attribute) && attribute.enum && typeof value === 'string';
  const text = isLabelled ? enumLabelOf(attribute, value) : textOf(value);
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
}

function useTheirs(target: EntryTarget) {
  const read = useReadEntry();
  return useQuery({
    queryKey: ['entry-of-others', target.type.uid, target.id, target.locale],
    queryFn: () => read(target),
    gcTime: 0,
    retry: false,
  });
}

function Differences({ target, theirs }: { readonly target: EntryTarget; readonly theirs: FormValues }) {
  const translate = useTranslate();
  const { watch, setValue } = useFormContext();
  const mine = watch();
  const { attributes } = target.type;
  const names = Object.keys(attributes).filter(
    (name) => theirs[name] !== undefined && JSON.stringify(theirs[name]) !== JSON.stringify(mine[name]),
  );
  return (
    <Table size="small">
      <TableHead>
        <TableRow>
          <TableCell>{translate('conflict.field')}</TableCell>
          <TableCell>{translate('conflict.theirs')}</TableCell>
          <TableCell>{translate('conflict.mine')}</TableCell>
          <TableCell />
        </TableRow>
      </TableHead>
      <TableBody>
        {names.map((name) => (
          <TableRow key={name}>
            <TableCell component="th" scope="row">
              {labelOf(name, attributes[name])}
            </TableCell>
            <TableCell sx={{ overflowWrap: 'anywhere' }}>{shown(attributes[name], theirs[name])}</TableCell>
            <TableCell sx={{ overflowWrap: 'anywhere' }}>{shown(attributes[name], mine[name])}</TableCell>
            <TableCell>
              <Button size="small" onClick={() => setValue(name, theirs[name], { shouldDirty: true })}>
                {translate('conflict.takeThis', { name: labelOf(name, attributes[name]) })}
              </Button>
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

export function ConflictDialog({ target, onTakeTheirs, onTakeMine, onClose }: Props) {
  const translate = useTranslate();
  const { data, error, refetch } = useTheirs(target);
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="md" aria-labelledby="conflict">
      <DialogTitle id="conflict">{translate('conflict.title')}</DialogTitle>
      <DialogContent>
        <DialogContentText>{translate('conflict.explained')}</DialogContentText>
        {error && <ReadProblem error={error} onRetry={() => void refetch()} />}
        {data && <Differences target={target} theirs={data.values} />}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{translate('ra.action.cancel')}</Button>
        <Button onClick={onTakeTheirs}>{translate('conflict.takeTheirs')}</Button>
        <Button variant="contained" disabled={!data} onClick={() => onTakeMine(data?.etag)}>
          {translate('conflict.takeMine')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
