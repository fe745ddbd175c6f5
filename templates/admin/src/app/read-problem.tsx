import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { useTranslate } from 'react-admin';
import { useProblemText } from './problem-text.ts';

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
