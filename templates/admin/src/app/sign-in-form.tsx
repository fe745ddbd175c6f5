import { textOf } from '../model/text-of.ts';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import { type FormEvent, useState } from 'react';
import { useTranslate } from 'react-admin';
import { useProblemText } from './problem-text.ts';
import { type Session, signIn } from './session.ts';
import { useBusy } from './use-busy.ts';

interface Props {
  readonly onSignedIn: (session: Session) => Promise<void>;
  /** Prefilled: the user of the session that has ended. */
  readonly identifier?: string | undefined;
}

/** Identifier and password; shows the server's error message if they are rejected. */
export function SignInForm({ onSignedIn, identifier = '' }: Props) {
  const translate = useTranslate();
  const [problem, setProblem] = useState<string>();
  const problemText = useProblemText();
  const { isBusy, run } = useBusy();

  async function send(data: FormData): Promise<void> {
    try {
      await onSignedIn(await signIn(textOf(data.get('identifier')), textOf(data.get('password'))));
    } catch (error) {
      setProblem(problemText(error));
    }
  }
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    void run(() => send(data));
  }

  return (
    <form onSubmit={submit}>
      <Stack sx={{ gap: 2 }}>
        {problem !== undefined && <Alert severity="error">{problem}</Alert>}
        <TextField
          name="identifier"
          label={translate('session.identifier')}
          defaultValue={identifier}
          autoComplete="username"
          autoFocus={identifier === ''}
          required
        />
        <TextField
          name="password"
          type="password"
          label={translate('session.password')}
          autoComplete="current-password"
          autoFocus={identifier !== ''}
          required
        />
        <Button type="submit" variant="contained" size="large" loading={isBusy}>
          {translate('session.signIn')}
        </Button>
      </Stack>
    </form>
  );
}
