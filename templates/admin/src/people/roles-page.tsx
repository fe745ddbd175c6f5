import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import { Title, useTranslate } from 'react-admin';
import { Link } from 'react-router';
import { useMay } from '../app/session.ts';
import { EntryProblem } from '../entry/entry-problem.tsx';
import { useRoles } from './roles.ts';

export function RolesPage() {
  const translate = useTranslate();
  const may = useMay();
  const { data, error, refetch } = useRoles();
  return (
    <>
      <Title title={translate('people.roles')} />
      {may('roles', 'create') && (
        <Button component={Link} to="/roles/create" sx={{ my: 1 }}>
          {translate('ra.action.create')}
        </Button>
      )}
      {!data && <EntryProblem error={error} onRetry={refetch} />}
      <TableContainer component={Paper} variant="outlined" hidden={!data}>
        <Table>
          <TableHead>
            <TableRow>
              <TableCell>{translate('people.name')}</TableCell>
              <TableCell>{translate('people.description')}</TableCell>
              <TableCell align="right">{translate('people.users')}</TableCell>
            </TableRow>
          </TableHead>
          <TableBody>
            {data?.map(({ id, name, description, nb_users: users }) => (
              <TableRow key={id} hover>
                <TableCell component="th" scope="row">
                  <Link to={`/roles/${id}`}>{name}</Link>
                </TableCell>
                <TableCell>{description}</TableCell>
                <TableCell align="right">{users}</TableCell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </TableContainer>
    </>
  );
}
