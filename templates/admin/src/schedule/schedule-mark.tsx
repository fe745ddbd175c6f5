import ErrorIcon from '@mui/icons-material/ErrorOutlined';
import ScheduleIcon from '@mui/icons-material/Schedule';
import Chip from '@mui/material/Chip';
import { useTranslate } from 'react-admin';
import type { Schedule } from './schedules.ts';
import { useTimeText } from './time-text.ts';

/** What is planned for an entry of a list: the next of it, or that something was refused. */
export function ScheduleMark({ schedule: { publishAt, unpublishAt, refusals } }: { readonly schedule: Schedule }) {
  const translate = useTranslate();
  const timeText = useTimeText();
  if (refusals.length > 0) {
    return (
      <Chip size="small" variant="outlined" color="error" icon={<ErrorIcon />} label={translate('schedule.refused')} />
    );
  }
  const time = publishAt ?? unpublishAt;
  if (time === null) return null;
  const label = translate(publishAt === null ? 'schedule.unpublishes' : 'schedule.publishes', { time: timeText(time) });
  return <Chip size="small" variant="outlined" icon={<ScheduleIcon />} label={label} />;
}
