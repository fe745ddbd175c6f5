import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { HttpError, useTranslate } from 'react-admin';

/** Returns a function for the text of an error: the server's message, or a message that the server could not be reached. */
export function useProblemText(): (error: unknown) => string {
  const translate = useTranslate();
  return (error) => (error instanceof HttpError ? error.message : translate('ra.notification.http_error'));
}

interface Props {
  readonly error: Error;
  readonly onRetry?: (() => void) | undefined;
}

/** Shows that reading has failed, with a button to try again. */
export function ReadProblem({ error, onRetry }: Props) {
  const translate = useTranslate();
  const textOf = useProblemText();
  const retry = onRetry && (
    <Button color="inherit" size="small" onClick={onRetry}>
      {translate('problem.again')}
    </Button>
  );
  return (
    <Alert severity="error" sx={{ my: 2 }} action={retry}>
      {textOf(error)}
    </Alert>
  );
}
