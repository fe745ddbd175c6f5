/** Shows who did what, the last first. */
import Button from '@mui/material/Button';
import MenuItem from '@mui/material/MenuItem';
import Paper from '@mui/material/Paper';
import Stack from '@mui/material/Stack';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { Title, useLocale, useTranslate } from 'react-admin';
import { Link } from 'react-router';
import { EntryProblem } from '../entry/entry-problem.tsx';
import { formatsLocale } from '../i18n/formats-locale.ts';
import { type ModelIndex, useModel } from '../model/model-context.tsx';
import { resourceOf } from '../model/model.ts';
import { type AuditFilter, type AuditRow, useAudit } from './audit.ts';

const EVENTS = [
  'entry.create',
  'entry.update',
  'entry.delete',
  'entry.publish',
  'entry.unpublish',
  'media.create',
  'media.update',
  'media.delete',
  'user.create',
  'user.update',
  'user.delete',
  'user.sign-in',
  'sign-in.failed',
  'role.create',
  'role.update',
  'role.delete',
  'token.create',
  'token.delete',
  'schedule.set',
  'schedule.refuse',
  'release.create',
  'release.update',
  'release.delete',
  'release.publish',
  'release.revert',
  'release.refuse',
  'webhook.disable',
  'webhook.enable',
  'refused',
] as const;

/** The types of what is recorded besides entries. */
const OTHER_TYPES = ['file', 'user', 'role', 'token', 'releases', 'webhooks'];

/** The page of what was changed; undefined if it has none. */
function pathOf(model: ModelIndex, { type, subjectId, event }: AuditRow): string | undefined {
  const found = type === null ? undefined : model.type(type);
  if (!found || subjectId === null || event.endsWith('.delete')) return undefined;
  return found.kind === 'single' ? `/${resourceOf(found)}` : `/${resourceOf(found)}/${subjectId}`;
}

function subjectText({ type, subjectId, details }: AuditRow): string {
  const subject = type === null ? '' : `${type}${subjectId === null ? '' : ` ${subjectId}`}`;
  const rest = Object.values(details ?? {}).join(', ');
  return [subject, rest].filter((text) => text !== '').join(': ');
}

function Row({ row }: { readonly row: AuditRow }) {
  const locale = formatsLocale(useLocale());
  const { at, event, actor, address, requestId } = row;
  const path = pathOf(useModel(), row);
  const text = subjectText(row);
  const time = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' }).format(new Date(at));
  return (
    <TableRow>
      <TableCell component="th" scope="row">
        {time}
      </TableCell>
      <TableCell>{event}</TableCell>
      <TableCell>{path === undefined ? text : <Link to={path}>{text}</Link>}</TableCell>
      <TableCell>{actor.id === undefined ? actor.kind : `${actor.kind} ${actor.id}`}</TableCell>
      <TableCell title={requestId ?? undefined}>{address}</TableCell>
    </TableRow>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly string[];
  readonly onChange: (value: string) => void;
}

function Choice({ label, value, choices, onChange }: ChoiceProps) {
  const translate = useTranslate();
  return (
    <TextField
      select
      size="small"
      sx={{ minWidth: 180 }}
      label={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    >
      <MenuItem value="">{translate('audit.all')}</MenuItem>
      {choices.map((choice) => (
        <MenuItem key={choice} value={choice}>
          {choice}
        </MenuItem>
      ))}
    </TextField>
  );
}

function Filters({
  filter,
  onChange,
}: {
  readonly filter: AuditFilter;
  readonly onChange: (filter: AuditFilter) => void;
}) {
  const translate = useTranslate();
  const { model } = useModel();
  const types = [...model.types.map(({ uid }) => uid), ...OTHER_TYPES];
  const [userId, setUserId] = useState('');
  return (
    <Stack direction="row" useFlexGap sx={{ flexWrap: 'wrap', gap: 2, py: 2 }}>
      <Choice
        label={translate('audit.event')}
        value={filter.event}
        choices={EVENTS}
        onChange={(event) => onChange({ ...filter, event })}
      />
      <Choice
        label={translate('audit.subject')}
        value={filter.type}
        choices={types}
        onChange={(type) => onChange({ ...filter, type })}
      />
      <TextField
        size="small"
        label={translate('audit.userId')}
        value={userId}
        onChange={({ target: { value } }) => {
          if (!/^(?:[1-9]\d{0,14})?$/u.test(value)) return;
          setUserId(value);
          onChange({ ...filter, actor: value === '' ? '' : `user:${value}` });
        }}
      />
    </Stack>
  );
}

export default function AuditPage() {
  const translate = useTranslate();
  const [filter, setFilter] = useState<AuditFilter>({ type: '', event: '', actor: '' });
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useAudit(filter);
  const rows = data?.pages.flatMap((page) => page.data);
  return (
    <>
      <Title title={translate('audit.title')} />
      <Filters filter={filter} onChange={setFilter} />
      {!rows && <EntryProblem error={error} onRetry={refetch} />}
      <TableContainer component={Paper} variant="outlined" hidden={!rows}>
        <Table size="small">
          <TableHead>
            <TableRow>
              <TableCell>{translate('audit.time')}</TableCell>
              <TableCell>{translate('audit.event')}</TableCell>
              <TableCell>{translate('audit.subject')}</TableCell>
              <TableCell>{translate('audit.actor')}</TableCell>
              <TableCell>{translate('audit.address')}</TableCell>
            </TableRow>
          </TableHead>
          <TableBody>
            {rows?.map((row) => (
              <Row key={row.id} row={row} />
            ))}
          </TableBody>
        </Table>
      </TableContainer>
      {hasNextPage && (
        <Button onClick={() => void fetchNextPage()} loading={isFetchingNextPage} sx={{ mt: 1 }}>
          {translate('audit.more')}
        </Button>
      )}
    </>
  );
}
