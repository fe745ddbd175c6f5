/** Sets a new password with the link from a mail: `/admin/#/reset?code=…`. */
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { type FormEvent, useState } from 'react';
import { HttpError, useTranslate } from 'react-admin';
import { NewPasswordFields, newPasswordIn } from './new-password-fields.tsx';
import { useProblemText } from './problem-text.ts';
import { resetPassword, type Session, signIn } from './session.ts';
import { StartPaper } from './start-paper.tsx';
import { useBusy } from './use-busy.ts';

/** The code from the URL fragment, which browsers do not send to the server; undefined without one. */
export function resetCode(): string | undefined {
  const [path, query] = location.hash.slice(1).split('?');
  return path === '/reset' ? (new URLSearchParams(query).get('code') ?? undefined) : undefined;
}

/** The server's message for a code that is not valid, or no longer. */
const WRONG_CODE = 'Incorrect code provided';

interface Props {
  readonly code: string;
  readonly onSignedIn: (session: Session) => Promise<void>;
  /** Shows the sign-in. */
  readonly onLeave: () => void;
}

export function ResetScreen({ code, onSignedIn, onLeave }: Props) {
  const translate = useTranslate();
  const problemText = useProblemText();
  const [problem, setProblem] = useState<string>();
  const [isDone, setIsDone] = useState(false);
  const { isBusy, run } = useBusy();

  function leave(): void {
    history.replaceState(null, '', location.pathname);
    onLeave();
  }
  async function reset(data: FormData): Promise<void> {
    const passwords = newPasswordIn(data);
    if (!passwords) return setProblem(translate('account.different'));
    setProblem(undefined);
    try {
      const email = await resetPassword(code, passwords);
      setIsDone(true);
      const session = await signIn(email, passwords.password);
      history.replaceState(null, '', location.pathname);
      await onSignedIn(session);
    } catch (error) {
      const isWrong = error instanceof HttpError && error.message === WRONG_CODE;
      setProblem(isWrong ? translate('forgotten.invalid') : problemText(error));
    }
  }
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    void run(() => reset(data));
  }
  return (
    <StartPaper title={translate('forgotten.reset')}>
      <Stack component="form" sx={{ gap: 2 }} onSubmit={submit}>
        {isDone && <Alert severity="success">{translate('forgotten.done')}</Alert>}
        {problem !== undefined && <Alert severity="error">{problem}</Alert>}
        {!isDone && (
          <>
            <NewPasswordFields />
            <Button type="submit" variant="contained" size="large" loading={isBusy}>
              {translate('forgotten.save')}
            </Button>
          </>
        )}
        <Button onClick={leave}>{translate('forgotten.back')}</Button>
      </Stack>
    </StartPaper>
  );
}
