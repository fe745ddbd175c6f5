/** When an entry is published and taken back, beside its form. */
import ScheduleIcon from '@mui/icons-material/Schedule';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import type { EntryTarget } from '../entry/entry-target.ts';
import type { LoadedEntry } from '../entry/load-entry.ts';
import { RefusalAlert } from './refusal-alert.tsx';
import { ScheduleDialog } from './schedule-dialog.tsx';
import { useSchedule } from './schedules.ts';
import { useTimeText } from './time-text.ts';

interface Props {
  readonly target: EntryTarget;
  readonly entry: LoadedEntry;
}

export function SchedulePanel({ target, entry }: Props) {
  const translate = useTranslate();
  const timeText = useTimeText();
  const { data: schedule } = useSchedule(target, entry);
  const [isOpen, setIsOpen] = useState(false);
  if (!schedule) return null;
  const { publishAt, unpublishAt, refusals } = schedule;
  return (
    <Stack component="section" aria-label={translate('schedule.title')} sx={{ gap: 1, alignItems: 'flex-start' }}>
      <Typography component="div" variant="body2">
        {publishAt !== null && <div>{translate('schedule.publishes', { time: timeText(publishAt, true) })}</div>}
        {unpublishAt !== null && <div>{translate('schedule.unpublishes', { time: timeText(unpublishAt, true) })}</div>}
      </Typography>
      {refusals.map((refusal) => (
        <RefusalAlert key={refusal.action} type={target.type} refusal={refusal} />
      ))}
      <Button size="small" startIcon={<ScheduleIcon />} onClick={() => setIsOpen(true)}>
        {translate('schedule.set')}
      </Button>
      {isOpen && <ScheduleDialog target={target} schedule={schedule} onClose={() => setIsOpen(false)} />}
    </Stack>
  );
}
