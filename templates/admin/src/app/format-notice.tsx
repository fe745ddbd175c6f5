import Alert from '@mui/material/Alert';
import { useTranslate } from 'react-admin';

/** The page speaks the format v4: on a server whose own format is v5, entries can't be edited with it. */
export function FormatNotice() {
  const translate = useTranslate();
  return (
    <Alert component="main" severity="info" sx={{ m: 4 }}>
      {translate('session.format')}
    </Alert>
  );
}
