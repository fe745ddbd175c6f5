/** Creates the first account. A development server prints the link: `/admin/#/first?token=…`. */
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import { type FormEvent, useState } from 'react';
import { useTranslate } from 'react-admin';
import { textOf } from '../model/text-of.ts';
import { useProblemText } from './problem-text.ts';
import { createFirstUser, type Session } from './session.ts';
import { StartPaper } from './start-paper.tsx';
import { useBusy } from './use-busy.ts';

/** The token from the URL fragment, which browsers do not send to the server; undefined without one. */
export function firstUserToken(): string | undefined {
  const [path, query] = location.hash.slice(1).split('?');
  return path === '/first' ? (new URLSearchParams(query).get('token') ?? undefined) : undefined;
}

interface Props {
  readonly token: string;
  readonly onSignedIn: (session: Session) => Promise<void>;
}

export function FirstUserScreen({ token, onSignedIn }: Props) {
  const translate = useTranslate();
  const [problem, setProblem] = useState<string>();
  const problemText = useProblemText();
  const { isBusy, run } = useBusy();

  async function create(data: FormData): Promise<void> {
    try {
      const session = await createFirstUser(token, textOf(data.get('email')), textOf(data.get('password')));
      history.replaceState(null, '', location.pathname);
      await onSignedIn(session);
    } catch (error) {
      setProblem(problemText(error));
    }
  }
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    void run(() => create(data));
  }

  return (
    <StartPaper title={translate('session.first')}>
      <Stack component="form" sx={{ gap: 2 }} onSubmit={submit}>
        {problem !== undefined && <Alert severity="error">{problem}</Alert>}
        <TextField name="email" type="email" label={translate('session.email')} autoComplete="username" required />
        <TextField
          name="password"
          type="password"
          label={translate('session.password')}
          autoComplete="new-password"
          required
        />
        <Button type="submit" variant="contained" size="large" loading={isBusy}>
          {translate('session.make')}
        </Button>
      </Stack>
    </StartPaper>
  );
}
