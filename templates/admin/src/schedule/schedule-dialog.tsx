/** Sets when an entry is published and taken back, in the person's time zone. */
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogContentText from '@mui/material/DialogContentText';
import DialogTitle from '@mui/material/DialogTitle';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { useNotify, useTranslate } from 'react-admin';
import { useProblemText } from '../app/problem-text.ts';
import { useBusy } from '../app/use-busy.ts';
import type { EntryTarget } from '../entry/entry-target.ts';
import { formatMoment, parseMoment } from '../fields/conversions.ts';
import { serverTime } from '../rest/request.ts';
import { type Schedule, type Times, useSetSchedule } from './schedules.ts';
import { TIME_ZONE } from './time-text.ts';

interface Props {
  readonly target: EntryTarget;
  readonly schedule: Schedule;
  readonly onClose: () => void;
}

const NAMES = ['publishAt', 'unpublishAt'] as const;

/** Without seconds, which nobody enters. */
function textOf(time: string | null): string {
  return formatMoment(time).slice(0, 16);
}

/** The key of a text that says what is wrong with the times; undefined if nothing is. */
function problemOf({ publishAt, unpublishAt }: Partial<Times>, schedule: Times): string | undefined {
  const now = new Date(serverTime() ?? Date.now()).toISOString();
  if ([publishAt, unpublishAt].some((time) => typeof time === 'string' && time <= now)) return 'schedule.past';
  const [first, last] = [publishAt ?? schedule.publishAt, unpublishAt ?? schedule.unpublishAt];
  const isReversed = first !== null && last !== null && publishAt !== null && unpublishAt !== null && first >= last;
  return isReversed ? 'schedule.order' : undefined;
}

export function ScheduleDialog({ target, schedule, onClose }: Props) {
  const translate = useTranslate();
  const notify = useNotify();
  const problemText = useProblemText();
  const setSchedule = useSetSchedule(target);
  const { isBusy, run } = useBusy();
  const [texts, setTexts] = useState({
    publishAt: textOf(schedule.publishAt),
    unpublishAt: textOf(schedule.unpublishAt),
  });
  const [problem, setProblem] = useState<string>();

  async function save(): Promise<void> {
    const times: Partial<Record<(typeof NAMES)[number], Times['publishAt']>> = {};
    for (const name of NAMES) {
      if (texts[name] !== textOf(schedule[name])) times[name] = parseMoment(texts[name]);
    }
    // A time that was refused is removed, unless a new one is set.
    for (const { action } of schedule.refusals) times[`${action}At`] ??= parseMoment(texts[`${action}At`]);
    const wrong = problemOf(times, schedule);
    if (wrong !== undefined) return setProblem(translate(wrong));
    try {
      await setSchedule(times);
      notify('schedule.saved', { type: 'success' });
      onClose();
    } catch (error) {
      setProblem(problemText(error));
    }
  }
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="xs" aria-labelledby="schedule-title">
      <DialogTitle id="schedule-title">{translate('schedule.title')}</DialogTitle>
      <DialogContent>
        <DialogContentText sx={{ mb: 2 }}>{translate('schedule.explained', { zone: TIME_ZONE })}</DialogContentText>
        <Stack sx={{ gap: 2 }}>
          {NAMES.map((name) => (
            <TextField
              key={name}
              type="datetime-local"
              label={translate(`schedule.${name}`)}
              value={texts[name]}
              onChange={(event) => setTexts({ ...texts, [name]: event.target.value })}
              slotProps={{ inputLabel: { shrink: true } }}
            />
          ))}
          {problem !== undefined && (
            <DialogContentText role="alert" color="error">
              {problem}
            </DialogContentText>
          )}
        </Stack>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{translate('ra.action.cancel')}</Button>
        <Button variant="contained" loading={isBusy} onClick={() => void run(save)}>
          {translate('ra.action.save')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
