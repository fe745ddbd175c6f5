/** Lists, creates and revokes API tokens. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import { visuallyHidden } from '@mui/utils';
import { Title, useLocale, useNotify, useTranslate } from 'react-admin';
import { useProblemText } from '../app/problem-text.ts';
import { formatsLocale } from '../i18n/formats-locale.ts';
import { useMay } from '../app/session.ts';
import { useBusy } from '../app/use-busy.ts';
import { EntryProblem } from '../entry/entry-problem.tsx';
import { NewToken } from './new-token.tsx';
import { type ApiToken, useChangeTokens, useTokens } from './tokens.ts';

function TokenRow({ id, name, kind, permissions, expiresAt }: ApiToken) {
  const translate = useTranslate();
  const may = useMay();
  const notify = useNotify();
  const { revoke } = useChangeTokens();
  const textOf = useProblemText();
  const { isBusy, run } = useBusy();
  const onRevoke = (): void => {
    run(() => revoke(id)).catch((error: unknown) => notify(textOf(error), { type: 'error' }));
  };
  const format = new Intl.DateTimeFormat(formatsLocale(useLocale()), { dateStyle: 'medium' });
  return (
    <TableRow>
      <TableCell component="th" scope="row">
        {name}
      </TableCell>
      <TableCell>{kind === 'custom' ? `${kind}: ${permissions.join(', ')}` : kind}</TableCell>
      <TableCell>{expiresAt === null ? '' : format.format(new Date(expiresAt))}</TableCell>
      <TableCell align="right">
        {may('tokens', 'destroy') && (
          <Button color="error" loading={isBusy} onClick={onRevoke}>
            {translate('people.revoke')}
          </Button>
        )}
      </TableCell>
    </TableRow>
  );
}

export function TokensPage() {
  const translate = useTranslate();
  const may = useMay();
  const { data: tokens, error, refetch } = useTokens();
  return (
    <>
      <Title title={translate('people.tokens')} />
      {may('tokens', 'create') && <NewToken />}
      {!tokens && <EntryProblem error={error} onRetry={refetch} />}
      <TableContainer component={Paper} variant="outlined" hidden={!tokens}>
        <Table>
          <TableHead>
            <TableRow>
              <TableCell>{translate('people.name')}</TableCell>
              <TableCell>{translate('people.kind')}</TableCell>
              <TableCell>{translate('people.expires')}</TableCell>
              <TableCell>
                <Box component="span" sx={visuallyHidden}>
                  {translate('people.revoke')}
                </Box>
              </TableCell>
            </TableRow>
          </TableHead>
          <TableBody>
            {tokens?.map((token) => (
              <TokenRow key={token.id} {...token} />
            ))}
          </TableBody>
        </Table>
      </TableContainer>
    </>
  );
}
