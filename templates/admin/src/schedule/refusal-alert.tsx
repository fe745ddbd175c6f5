import Alert from '@mui/material/Alert';
import { useTranslate } from 'react-admin';
import type { ContentType } from '../model/model.ts';
import { useRefusalTexts } from './refusal-text.ts';
import type { Refusal } from './schedules.ts';
import { useTimeText } from './time-text.ts';

interface Props {
  readonly type: ContentType;
  readonly refusal: Refusal;
}

/** What was due and could not be done, and why. */
export function RefusalAlert({ type, refusal }: Props) {
  const translate = useTranslate();
  const timeText = useTimeText();
  const refusalTexts = useRefusalTexts();
  return (
    <Alert severity="error" sx={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
      {[
        translate(`schedule.${refusal.action}Refused`, { time: timeText(refusal.at, true) }),
        ...refusalTexts(type, refusal),
      ].join('\n')}
    </Alert>
  );
}
