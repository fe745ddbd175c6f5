import Alert from '@mui/material/Alert';
import { Loading } from 'react-admin';

/** While an entry is read, or where it can't be. */
export function EntryProblem({ error }: { readonly error: Error | null }) {
  return error ? (
    <Alert severity="error" sx={{ m: 3 }}>
      {error.message}
    </Alert>
  ) : (
    <Loading />
  );
}
