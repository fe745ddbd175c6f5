/** Lists releases, and creates them. */
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Paper from '@mui/material/Paper';
import Stack from '@mui/material/Stack';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { Title, useNotify, useTranslate } from 'react-admin';
import { Link as RouterLink, useNavigate } from 'react-router';
import { useProblemText } from '../app/problem-text.ts';
import { useMay } from '../app/session.ts';
import { useBusy } from '../app/use-busy.ts';
import { EntryProblem } from '../entry/entry-problem.tsx';
import { ReleaseStateChip } from './release-state.tsx';
import { useChangeReleases, useReleases } from './releases.ts';

function NewRelease() {
  const translate = useTranslate();
  const notify = useNotify();
  const problemText = useProblemText();
  const navigate = useNavigate();
  const { create } = useChangeReleases();
  const { isBusy, run } = useBusy();
  const [name, setName] = useState('');

  async function submit(): Promise<void> {
    try {
      const { id } = await create({ name });
      void navigate(`/releases/${id}`);
    } catch (error) {
      notify(problemText(error), { type: 'error' });
    }
  }
  return (
    <Stack
      component="form"
      direction="row"
      sx={{ gap: 1, my: 2 }}
      onSubmit={(event) => {
        event.preventDefault();
        void run(submit);
      }}
    >
      <TextField
        size="small"
        label={translate('releases.name')}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <Button type="submit" variant="contained" loading={isBusy} disabled={name.trim() === ''}>
        {translate('releases.create')}
      </Button>
    </Stack>
  );
}

export default function ReleasesPage() {
  const translate = useTranslate();
  const may = useMay();
  const { data: releases, error, refetch } = useReleases();
  return (
    <>
      <Title title={translate('releases.title')} />
      {may('releases', 'create') && <NewRelease />}
      {!releases && <EntryProblem error={error} onRetry={refetch} />}
      <TableContainer component={Paper} variant="outlined" hidden={!releases}>
        <Table>
          <TableHead>
            <TableRow>
              <TableCell>{translate('releases.name')}</TableCell>
              <TableCell>{translate('entry.state')}</TableCell>
              <TableCell>{translate('releases.entries')}</TableCell>
            </TableRow>
          </TableHead>
          <TableBody>
            {releases?.map((release) => (
              <TableRow key={release.id}>
                <TableCell component="th" scope="row">
                  <Link component={RouterLink} to={`/releases/${release.id}`}>
                    {release.name}
                  </Link>
                </TableCell>
                <TableCell>
                  <ReleaseStateChip release={release} />
                </TableCell>
                <TableCell>{release.items.length + release.hidden}</TableCell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </TableContainer>
    </>
  );
}
