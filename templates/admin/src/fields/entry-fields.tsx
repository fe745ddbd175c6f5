/** The fields of an entry, where the layout of its type has them. */
import Skeleton from '@mui/material/Skeleton';
import { lazy, Suspense } from 'react';
import { useTranslate } from 'react-admin';
import type { Attributes } from '../model/model.ts';
import { FieldRows, FieldsContext } from './attribute-fields.tsx';
import type { FieldPlaces } from './field-places.ts';

const FieldTabs = lazy(() => import('./field-tabs.tsx'));

interface Props {
  readonly attributes: Attributes;
  readonly places: FieldPlaces;
  /** Whether those of the sidebar follow, where there is no place beside the form. */
  readonly withSidebar: boolean;
}

export function EntryFields({ attributes, places, withSidebar }: Props) {
  const translate = useTranslate();
  const { tabs, sidebar } = places;
  const rows = withSidebar ? [...places.rows, ...sidebar.map((name) => [name])] : places.rows;
  const general = rows.length > 0 ? [{ name: translate('form.general'), rows }] : [];
  return (
    <FieldsContext attributes={attributes}>
      {tabs.length === 0 ? (
        <FieldRows attributes={attributes} prefix="" rows={rows} />
      ) : (
        <Suspense fallback={<Skeleton height={300} />}>
          <FieldTabs attributes={attributes} tabs={[...general, ...tabs]} />
        </Suspense>
      )}
    </FieldsContext>
  );
}

export function SidebarFields({ attributes, places }: Pick<Props, 'attributes' | 'places'>) {
  return (
    <FieldsContext attributes={attributes}>
      <FieldRows attributes={attributes} prefix="" rows={places.sidebar.map((name) => [name])} />
    </FieldsContext>
  );
}
