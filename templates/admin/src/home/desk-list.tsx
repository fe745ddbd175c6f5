/** Rows of the start page: a title that leads somewhere, and what is said about it. */
import Box from '@mui/material/Box';
import type { Theme } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { TypeIcon } from '../app/type-icon.tsx';
import type { ContentType } from '../model/model.ts';

const listStyles = {
  m: 0,
  p: 0,
  listStyle: 'none',
  '& li + li': { borderTop: 1, borderColor: 'divider' },
  '& a': ({ palette }: Theme) => ({
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'baseline',
    columnGap: '12px',
    padding: '10px 16px',
    color: palette.text.primary,
    textDecoration: 'none',
    '&:hover': { backgroundColor: palette.action.hover },
    '&:focus-visible': { outline: `2px solid ${palette.primary.main}`, outlineOffset: -2 },
  }),
} as const;

export interface DeskRow {
  readonly key: string;
  readonly to: string;
  readonly title: string;
  readonly type?: ContentType | undefined;
  readonly mark?: ReactNode;
  /** Beside the title. */
  readonly about: string;
  /** Below it. */
  readonly reason?: string;
}

export function DeskList({ label, rows }: { readonly label: string; readonly rows: readonly DeskRow[] }) {
  return (
    <Box component="ul" aria-label={label} sx={listStyles}>
      {rows.map(({ key, to, title, type, mark, about, reason }) => (
        <li key={key}>
          <Link to={to}>
            <Typography
              component="span"
              sx={{ flex: '1 1 200px', minWidth: 0, fontWeight: 500, overflowWrap: 'anywhere' }}
            >
              <TypeIcon icon={type?.icon} />
              <bdi>{title}</bdi>
            </Typography>
            {mark}
            <Typography component="span" variant="body2" color="text.secondary">
              {about}
            </Typography>
            {reason !== undefined && (
              <Typography
                component="span"
                variant="body2"
                color="error"
                sx={{ flexBasis: '100%', overflowWrap: 'anywhere' }}
              >
                {reason}
              </Typography>
            )}
          </Link>
        </li>
      ))}
    </Box>
  );
}
