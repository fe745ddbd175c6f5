/** API tokens: made, and revoked. The secret is shown once. */
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import MenuItem from '@mui/material/MenuItem';
import Paper from '@mui/material/Paper';
import Stack from '@mui/material/Stack';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import TextField from '@mui/material/TextField';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Title, useLocale, useTranslate } from 'react-admin';
import { useMay } from '../app/session.ts';
import { textOf } from '../model/text-of.ts';
import { ask } from '../rest/request.ts';

interface ApiToken {
  readonly id: number;
  readonly name: string;
  readonly kind: 'full-access' | 'read-only' | 'custom';
  readonly expiresAt: string | null;
}

const PATH = 'users-permissions/tokens';

/** Those that need no list of permissions; `npm run token` makes the others, too. */
const KINDS = ['read-only', 'full-access'] as const;

function NewToken({ onMade }: { readonly onMade: () => Promise<void> }) {
  const translate = useTranslate();
  const [secret, setSecret] = useState<string>();
  const [problem, setProblem] = useState<string>();
  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    try {
      const body = { name: textOf(data.get('name')), kind: textOf(data.get('kind')) };
      setSecret((await ask<{ readonly token: string }>({ method: 'POST', path: PATH, body })).token);
      setProblem(undefined);
      await onMade();
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  }
  return (
    <Stack component="form" sx={{ gap: 2, my: 2 }} onSubmit={(event) => void submit(event)}>
      <Stack direction={{ xs: 'column', sm: 'row' }} sx={{ gap: 2 }}>
        <TextField name="name" label={translate('people.name')} required />
        <TextField name="kind" label={translate('people.kind')} select defaultValue={KINDS[0]} sx={{ minWidth: 160 }}>
          {KINDS.map((kind) => (
            <MenuItem key={kind} value={kind}>
              {kind}
            </MenuItem>
          ))}
        </TextField>
        <Button type="submit" variant="contained">
          {translate('ra.action.create')}
        </Button>
      </Stack>
      {problem !== undefined && <Alert severity="error">{problem}</Alert>}
      {secret !== undefined && (
        <Alert severity="success" sx={{ overflowWrap: 'anywhere' }}>
          {translate('people.tokenOnce')} <code>{secret}</code>
        </Alert>
      )}
    </Stack>
  );
}

export function TokensPage() {
  const translate = useTranslate();
  const may = useMay();
  const format = new Intl.DateTimeFormat(useLocale(), { dateStyle: 'medium' });
  const client = useQueryClient();
  const { data = [] } = useQuery({ queryKey: ['tokens'], queryFn: () => ask<ApiToken[]>({ path: PATH }) });
  const readAgain = (): Promise<void> => client.invalidateQueries({ queryKey: ['tokens'] });
  async function revoke(id: number): Promise<void> {
    await ask({ method: 'DELETE', path: `${PATH}/${id}` });
    await readAgain();
  }
  return (
    <>
      <Title title={translate('people.tokens')} />
      {may('tokens', 'create') && <NewToken onMade={readAgain} />}
      <TableContainer component={Paper} variant="outlined">
        <Table>
          <TableHead>
            <TableRow>
              <TableCell>{translate('people.name')}</TableCell>
              <TableCell>{translate('people.kind')}</TableCell>
              <TableCell>{translate('people.expires')}</TableCell>
              <TableCell />
            </TableRow>
          </TableHead>
          <TableBody>
            {data.map(({ id, name, kind, expiresAt }) => (
              <TableRow key={id}>
                <TableCell component="th" scope="row">
                  {name}
                </TableCell>
                <TableCell>{kind}</TableCell>
                <TableCell>{expiresAt === null ? '' : format.format(new Date(expiresAt))}</TableCell>
                <TableCell align="right">
                  {may('tokens', 'destroy') && (
                    <Button color="error" onClick={() => void revoke(id)}>
                      {translate('people.revoke')}
                    </Button>
                  )}
                </TableCell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </TableContainer>
    </>
  );
}
