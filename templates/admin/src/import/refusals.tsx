/** The rows that are refused, and why. */
import DownloadIcon from '@mui/icons-material/Download';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import { downloadCSV, useTranslate } from 'react-admin';
import type { Refusal } from './build-rows.ts';
import { refusalsCsv } from './refusals-file.ts';

/** More are in the file that can be downloaded. */
const SHOWN = 200;

export function Refusals({ refusals, fileName }: { readonly refusals: readonly Refusal[]; readonly fileName: string }) {
  const translate = useTranslate();
  if (refusals.length === 0) return null;
  const titles = [translate('csv.line'), translate('csv.column'), translate('csv.problem')] as const;
  const download = (): void => downloadCSV(refusalsCsv(refusals, titles), `${fileName.replace(/\.\w+$/u, '')}-errors`);
  return (
    <Box>
      <Button size="small" startIcon={<DownloadIcon />} onClick={download}>
        {translate('csv.download')}
      </Button>
      <Table size="small" aria-label={translate('csv.refused')}>
        <TableHead>
          <TableRow>
            {titles.map((title) => (
              <TableCell key={title}>{title}</TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {refusals.slice(0, SHOWN).map(({ line, column, text }, at) => (
            <TableRow key={at}>
              <TableCell>{line}</TableCell>
              <TableCell>{column}</TableCell>
              <TableCell sx={{ overflowWrap: 'anywhere' }}>{text}</TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
      {refusals.length > SHOWN && (
        <Typography variant="body2" sx={{ p: 1 }}>
          {translate('csv.more', { count: refusals.length - SHOWN })}
        </Typography>
      )}
    </Box>
  );
}
