import Alert from '@mui/material/Alert';
import { useTranslate } from 'react-admin';
import { nameOfPath } from '../entry/error-paths.ts';
import type { ContentType } from '../model/model.ts';
import { useModel } from '../model/model-context.tsx';
import type { Refusal } from './schedules.ts';
import { useTimeText } from './time-text.ts';

interface Props {
  readonly type: ContentType;
  readonly refusal: Refusal;
}

/** What was due and could not be done, and why. */
export function RefusalAlert({ type, refusal: { action, at, message, errors = [] } }: Props) {
  const translate = useTranslate();
  const timeText = useTimeText();
  const index = useModel();
  const reasons = errors.map((error) => {
    const name = nameOfPath([...error.path], type.attributes, {}, index);
    return name === '' ? error.message : `${name}: ${error.message}`;
  });
  return (
    <Alert severity="error" sx={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
      {[
        translate(`schedule.${action}Refused`, { time: timeText(at, true) }),
        ...(reasons.length > 0 ? reasons : [message]),
      ].join('\n')}
    </Alert>
  );
}
