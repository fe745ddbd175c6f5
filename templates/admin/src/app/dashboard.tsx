/** The start page: all types with their descriptions. */
import Box from '@mui/material/Box';
import type { Theme } from '@mui/material/styles';
import { Title } from 'react-admin';
import { type ContentType, resourceOf } from '../model/model.ts';
import { useModel } from '../model/model-context.tsx';
import { usePlainLinks } from './plain-links.ts';

const cardStyles = {
  display: 'grid',
  gap: 2,
  p: 0,
  mt: 3,
  gridTemplateColumns: 'repeat(auto-fill, minmax(220px, 1fr))',
  listStyle: 'none',
  '& a': ({ palette, shape }: Theme) => ({
    display: 'block',
    boxSizing: 'border-box',
    height: '100%',
    padding: '16px',
    color: palette.text.primary,
    textDecoration: 'none',
    backgroundColor: palette.background.paper,
    border: `1px solid ${palette.divider}`,
    borderRadius: `${shape.borderRadius}px`,
    '&:hover': { borderColor: palette.primary.main },
    '&:focus-visible': { outline: `2px solid ${palette.primary.main}` },
  }),
  '& h2': ({ typography }: Theme) => ({ ...typography.h6, m: 0 }),
  '& p': ({ typography, palette }: Theme) => ({ ...typography.body2, m: 0, color: palette.text.secondary }),
} as const;

function TypeCard({ type, href }: { readonly type: ContentType; readonly href: string }) {
  return (
    <li>
      <a href={href}>
        <h2>{type.displayName}</h2>
        <p>{type.description ?? type.endpoint}</p>
      </a>
    </li>
  );
}

export function Dashboard() {
  const { model } = useModel();
  const { hrefOf, onClick } = usePlainLinks();
  return (
    <>
      <Title title={model.name} />
      <Box component="ul" onClick={onClick} sx={cardStyles}>
        {model.types.map((type) => (
          <TypeCard key={type.uid} type={type} href={hrefOf(`/${resourceOf(type)}`)} />
        ))}
      </Box>
    </>
  );
}
