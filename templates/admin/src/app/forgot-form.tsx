/** Asks for the address that a link for a new password is mailed to. */
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { type FormEvent, useState } from 'react';
import { useTranslate } from 'react-admin';
import { textOf } from '../model/text-of.ts';
import { useProblemText } from './problem-text.ts';
import { forgotPassword } from './session.ts';
import { useBusy } from './use-busy.ts';

export function ForgotForm() {
  const translate = useTranslate();
  const problemText = useProblemText();
  const [problem, setProblem] = useState<string>();
  const [isSent, setIsSent] = useState(false);
  const { isBusy, run } = useBusy();

  async function send(email: string): Promise<void> {
    try {
      await forgotPassword(email);
      setIsSent(true);
    } catch (error) {
      setProblem(problemText(error));
    }
  }
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    setProblem(undefined);
    const email = textOf(new FormData(event.currentTarget).get('email'));
    void run(() => send(email));
  }
  // The server does not say whether there is such an account either.
  if (isSent) return <Alert severity="success">{translate('forgotten.sent')}</Alert>;
  return (
    <Stack component="form" sx={{ gap: 2 }} onSubmit={submit}>
      {problem !== undefined && <Alert severity="error">{problem}</Alert>}
      <Typography variant="body2">{translate('forgotten.explained')}</Typography>
      <TextField
        name="email"
        type="email"
        label={translate('session.email')}
        autoComplete="username"
        autoFocus
        required
      />
      <Button type="submit" variant="contained" size="large" loading={isBusy}>
        {translate('forgotten.send')}
      </Button>
    </Stack>
  );
}
