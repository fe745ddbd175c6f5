/** Diagram of the types and their relations; each box links to the type's entries. */
import Box from '@mui/material/Box';
import { useTheme } from '@mui/material/styles';
import { Title, useTranslate } from 'react-admin';
import { Link } from 'react-router';
import { type PlacedType, placeTypes, relationLines, ROW } from './diagram-layout.ts';
import { labelOf, resourceOf } from './model.ts';
import { useModel } from './model-context.tsx';

function TypeBox({ placed }: { readonly placed: PlacedType }) {
  const { palette } = useTheme();
  const { type, x, y, width, height, relations } = placed;
  return (
    <g transform={`translate(${x} ${y})`}>
      <rect width={width} height={height} rx={8} fill={palette.background.paper} stroke={palette.divider} />
      <Link to={`/${resourceOf(type)}`}>
        <text x={12} y={22} fill={palette.primary.main} fontWeight={600} fontSize={14}>
          {type.displayName}
        </text>
      </Link>
      {relations.map((name, index) => (
        <text key={name} x={12} y={ROW * (index + 2)} fill={palette.text.secondary} fontSize={12}>
          {labelOf(name, type.attributes[name])}
        </text>
      ))}
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
