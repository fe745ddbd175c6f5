import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { ForgotForm } from './forgot-form.tsx';
import type { Session } from './session.ts';
import { SignInForm } from './sign-in-form.tsx';
import { StartPaper } from './start-paper.tsx';

interface Props {
  /** Whether the server can mail a link for a new password. */
  readonly canReset: boolean;
  readonly onSignedIn: (session: Session) => Promise<void>;
}

export function SignInScreen({ canReset, onSignedIn }: Props) {
  const translate = useTranslate();
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
