/** Diagram of the types and their relations; each box links to the type's entries. */
import Box from '@mui/material/Box';
import MuiLink from '@mui/material/Link';
import { useTheme } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { Title, useTranslate } from 'react-admin';
import { Link } from 'react-router';
import { type PlacedType, placeTypes, relationLines, ROW } from './diagram-layout.ts';
import { labelOf, resourceOf } from './model.ts';
import { useModel } from './model-context.tsx';

const nameStyles = { display: 'block', fontWeight: 600, fontSize: 14, lineHeight: `${ROW}px` } as const;
const relationStyles = { color: 'text.secondary', fontSize: 12, lineHeight: `${ROW}px` } as const;

function TypeBox({ placed }: { readonly placed: PlacedType }) {
  const { palette } = useTheme();
  const { type, x, y, width, height, relations } = placed;
  return (
    <g transform={`translate(${x} ${y})`}>
      <rect width={width} height={height} rx={8} fill={palette.background.paper} stroke={palette.divider} />
      {/* HTML, as text of SVG has no ellipsis. */}
      <foreignObject x={12} y={6} width={width - 24} height={height - 8}>
        <MuiLink
          component={Link}
          to={`/${resourceOf(type)}`}
          title={type.displayName}
          underline="hover"
          noWrap
          sx={nameStyles}
        >
          {type.displayName}
        </MuiLink>
        {relations.map((name) => {
          const label = labelOf(name, type.attributes[name]);
          return (
            <Typography key={name} title={label} noWrap sx={relationStyles}>
              {label}
            </Typography>
          );
        })}
      </foreignObject>
    </g>
  );
}

export default function ModelPage() {
  const translate = useTranslate();
  const { palette } = useTheme();
  const index = useModel();
  const placed = placeTypes(index.model.types);
  const lines = relationLines(placed, index);
  const width = Math.max(...placed.map((one) => one.x + one.width), 0) + 40;
  const height = Math.max(...placed.map((one) => one.y + one.height), 0) + 40;
  return (
    <>
      <Title title={translate('menu.model')} />
      <Box
        tabIndex={0}
        role="region"
        aria-label={translate('menu.model')}
        sx={{ overflow: 'auto', maxHeight: '85vh', mt: 2 }}
      >
        <svg width={width} height={height} fontFamily="inherit">
          {lines.map(({ key, path }) => (
            <path key={key} d={path} fill="none" stroke={palette.primary.main} strokeOpacity={0.45} strokeWidth={1.5} />
          ))}
          {placed.map((one) => (
            <TypeBox key={one.type.uid} placed={one} />
          ))}
        </svg>
      </Box>
    </>
  );
}
