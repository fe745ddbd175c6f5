import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { HttpError, useTranslate } from 'react-admin';
import { LostResponseError } from '../rest/request.ts';

/** Returns a function for the text of an error: the server's message, or that the server could not be reached or did not respond. */
export function useProblemText(): (error: unknown) => string {
  const translate = useTranslate();
  return (error) => {
    if (error instanceof HttpError) return error.message;
    return translate(error instanceof LostResponseError ? error.message : 'ra.notification.http_error');
  };
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
