import Alert from '@mui/material/Alert';
import { Loading } from 'react-admin';

/** Loading indicator, or the error if reading has failed. */
export function EntryProblem({ error }: { readonly error: Error | null }) {
  return error ? (
    <Alert severity="error" sx={{ m: 3 }}>
      {error.message}
    </Alert>
  ) : (
    <Loading />
  );
}
