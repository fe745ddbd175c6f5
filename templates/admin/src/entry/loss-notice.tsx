/** Says what is known about a save that had no response, and what to do next. */
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { useTranslate } from 'react-admin';
import { useHref } from 'react-router';
import { type ContentType, resourceOf } from '../model/model.ts';
import type { Submission } from './use-submit.ts';

interface Props {
  readonly type: ContentType;
  readonly submission: Submission;
}

export function LossNotice({ type, submission: { loss, check, busy } }: Props) {
  const translate = useTranslate();
  const list = useHref(`/${resourceOf(type)}?sort=createdAt&order=DESC`);
  if (loss === undefined) return null;
  const actions = {
    'not-saved': undefined,
    unclear: (
      <Button color="inherit" size="small" component="a" href={list} target="_blank" rel="noreferrer">
        {translate('loss.list')}
      </Button>
    ),
    unknown: (
      <Button color="inherit" size="small" loading={busy.isBusy} onClick={() => void check()}>
        {translate('loss.check')}
      </Button>
    ),
  };
  return (
    <Alert severity="warning" sx={{ mb: 2 }} action={actions[loss]}>
      {translate(`loss.${loss}`)}
    </Alert>
  );
}
