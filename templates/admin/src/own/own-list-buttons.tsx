/** The place of the team's own buttons: above a list, and above its selected entries. */
import { lazy, Suspense } from 'react';
import type { ContentType } from '../model/model.ts';
import { useOwnButtons } from './own-pages.ts';

const ListButtons = lazy(() => import('./list-buttons.tsx'));

export function OwnListButtons({ type }: { readonly type: ContentType }) {
  if (useOwnButtons('list', type.uid).length === 0) return undefined;
  return (
    <Suspense>
      <ListButtons type={type} />
    </Suspense>
  );
}
