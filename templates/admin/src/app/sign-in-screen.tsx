import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useEffect, useState } from 'react';
import { useTranslate } from 'react-admin';
import { ForgotForm } from './forgot-form.tsx';
import { readSignInOptions, type Session } from './session.ts';
import { SignInForm } from './sign-in-form.tsx';
import { StartPaper } from './start-paper.tsx';

/** Whether the server can mail a link for a new password; false until it has said so. */
function useCanReset(): boolean {
  const [canReset, setCanReset] = useState(false);
  useEffect(() => {
    readSignInOptions().then(
      ({ passwordReset }) => setCanReset(passwordReset),
      () => undefined,
    );
  }, []);
  return canReset;
}

export function SignInScreen({ onSignedIn }: { readonly onSignedIn: (session: Session) => Promise<void> }) {
  const translate = useTranslate();
  const canReset = useCanReset();
  const [isForgotten, setIsForgotten] = useState(false);
  return (
    <StartPaper title={translate(isForgotten ? 'forgotten.title' : 'session.title')}>
      <Typography color="text.secondary" sx={{ mb: 3 }}>
        {location.host}
      </Typography>
      {isForgotten ? <ForgotForm /> : <SignInForm onSignedIn={onSignedIn} />}
      {canReset && (
        <Button sx={{ mt: 1 }} onClick={() => setIsForgotten(!isForgotten)}>
          {translate(isForgotten ? 'forgotten.back' : 'forgotten.link')}
        </Button>
      )}
    </StartPaper>
  );
}
