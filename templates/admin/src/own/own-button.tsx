/** A button of the team's own. */
import Button from '@mui/material/Button';
import { useState } from 'react';
import { HttpError, useLocale, useNotify, useTranslate } from 'react-admin';
import type { PanelText } from '../../../runtime/src/contract/panel-part.ts';
import { useProblemText } from '../app/problem-text.ts';
import { LostResponseError } from '../rest/request.ts';
import { textIn } from './own-part.ts';

interface Props {
  readonly label: PanelText;
  readonly run: () => void | Promise<void>;
}

export function OwnButton({ label, run }: Props) {
  const translate = useTranslate();
  const notify = useNotify();
  const problemText = useProblemText();
  const name = textIn(label, useLocale());
  const [isRunning, setIsRunning] = useState(false);
  async function press(): Promise<void> {
    setIsRunning(true);
    try {
      await run();
    } catch (error) {
      reportError(error);
      const isAnswered = error instanceof HttpError || error instanceof LostResponseError;
      notify(isAnswered ? problemText(error) : translate('own.failed', { name }), { type: 'error' });
    } finally {
      setIsRunning(false);
    }
  }
  return (
    <Button size="small" loading={isRunning} onClick={() => void press()}>
      {name}
    </Button>
  );
}
