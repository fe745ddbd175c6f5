import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { useTranslate } from 'react-admin';
import type { Session } from './session.ts';
import { SignInForm } from './sign-in-form.tsx';

export function SignInScreen({ onSignedIn }: { readonly onSignedIn: (session: Session) => Promise<void> }) {
  const translate = useTranslate();
  return (
    <Box component="main" sx={{ minHeight: '100vh', display: 'grid', placeItems: 'center', p: 2 }}>
      <Paper variant="outlined" sx={{ p: 4, width: '100%', maxWidth: 400, boxSizing: 'border-box' }}>
        <Typography component="h1" variant="h5" gutterBottom>
          {translate('session.title')}
        </Typography>
        <Typography color="text.secondary" sx={{ mb: 3 }}>
          {location.host}
        </Typography>
        <SignInForm onSignedIn={onSignedIn} />
      </Paper>
    </Box>
  );
}
