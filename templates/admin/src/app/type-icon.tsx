/** The icon of a type, if the schema gives it one. */
import Box from '@mui/material/Box';
import { lazy, Suspense } from 'react';
import type { ContentType } from '../model/model.ts';

const TypeIconImage = lazy(() => import('./type-icon-image.tsx'));

const place = {
  display: 'inline-flex',
  width: 20,
  height: 20,
  marginInlineEnd: 1,
  verticalAlign: 'text-bottom',
  flexShrink: 0,
  color: 'text.secondary',
} as const;

export function TypeIcon({ icon }: { readonly icon: ContentType['icon'] }) {
  if (icon === undefined) return null;
  return (
    <Box component="span" aria-hidden sx={place}>
      <Suspense>
        <TypeIconImage icon={icon} />
      </Suspense>
    </Box>
  );
}
