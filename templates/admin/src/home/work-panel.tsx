/** The entries that were edited last, drafts, what has changed since it was published, and what was published last; by whom. */
import Alert from '@mui/material/Alert';
import Chip from '@mui/material/Chip';
import Paper from '@mui/material/Paper';
import Skeleton from '@mui/material/Skeleton';
import Stack from '@mui/material/Stack';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { pluralOf, resourceOf } from '../model/model.ts';
import { useTimeText } from '../schedule/time-text.ts';
import { DeskList, type DeskRow } from './desk-list.tsx';
import { type Choice, type Kind, MAX_TYPES, type People, useKinds, useWork, type WorkItem } from './recent-work.ts';

function useRow(): (item: WorkItem) => DeskRow {
  const translate = useTranslate();
  const timeText = useTimeText();
  return ({ type, id, title, isDraft, time, by }) => ({
    key: `${type.uid} ${id}`,
    to: `/${resourceOf(type)}/${id}`,
    title,
    type,
    mark: isDraft && <Chip component="span" size="small" variant="outlined" label={translate('entry.draft')} />,
    about: [translate('home.at', { name: type.displayName, time: timeText(time) }), by]
      .filter((text) => text !== undefined)
      .join(' · '),
  });
}

function WorkList({ choice }: { readonly choice: Choice }) {
  const translate = useTranslate();
  const { work, isCut } = useWork(choice);
  const rowOf = useRow();
  if (!work) return <Skeleton variant="rounded" height={220} sx={{ m: 2 }} />;
  const { items, failed } = work;
  const names = failed.map(pluralOf).join(', ');
  return (
    <>
      {failed.length > 0 && <Alert severity="warning">{translate('home.failed', { names })}</Alert>}
      {items.length === 0 && failed.length === 0 && (
        <Typography sx={{ p: 3, color: 'text.secondary' }}>{translate('home.nothing')}</Typography>
      )}
      <DeskList label={translate(`home.${choice.kind}`)} rows={items.map(rowOf)} />
      {isCut && (
        <Typography variant="body2" color="text.secondary" sx={{ p: 2 }}>
          {translate('home.cut', { count: MAX_TYPES })}
        </Typography>
      )}
    </>
  );
}

interface TabsProps<Value extends string> {
  readonly label: string;
  readonly values: readonly Value[];
  readonly shown: Value;
  readonly onChoose: (value: Value) => void;
}

function Tabs<Value extends string>({ label, values, shown, onChoose }: TabsProps<Value>) {
  const translate = useTranslate();
  if (values.length < 2) return null;
  return (
    <ToggleButtonGroup
      exclusive
      size="small"
      value={shown}
      aria-label={label}
      onChange={(_event, value: Value | null) => value !== null && onChoose(value)}
      sx={{ flexWrap: 'wrap' }}
    >
      {values.map((value) => (
        <ToggleButton key={value} value={value} sx={{ py: 0.5, textTransform: 'none' }}>
          {translate(`home.${value}`)}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}

export function WorkPanel() {
  const translate = useTranslate();
  const kinds = useKinds();
  const [kind, setKind] = useState<Kind>();
  const [people, setPeople] = useState<People>('all');
  const shown = kinds.find((one) => one.kind === kind) ?? kinds[0];
  if (!shown) return null;
  const choice = { kind: shown.kind, people: shown.people.includes(people) ? people : 'all' } as const;
  return (
    <Paper component="section" variant="outlined" aria-labelledby="home-work" sx={{ minWidth: 0, overflow: 'hidden' }}>
      <Stack
        direction="row"
        sx={{ p: 1.5, gap: 1, flexWrap: 'wrap', alignItems: 'center', borderBottom: 1, borderColor: 'divider' }}
      >
        <Typography id="home-work" component="h2" variant="h6" sx={{ flex: 1, pl: 0.5 }}>
          {translate('home.work')}
        </Typography>
        <Tabs
          label={translate('home.work')}
          values={kinds.map((one) => one.kind)}
          shown={choice.kind}
          onChoose={setKind}
        />
        <Tabs label={translate('home.by')} values={shown.people} shown={choice.people} onChoose={setPeople} />
      </Stack>
      <WorkList key={`${choice.kind} ${choice.people}`} choice={choice} />
    </Paper>
  );
}
