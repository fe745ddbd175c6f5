/** Actions on selected entries that the role may perform. */
import PublishIcon from '@mui/icons-material/Publish';
import UnpublishedIcon from '@mui/icons-material/Unpublished';
import { BulkDeleteButton, BulkUpdateButton } from 'react-admin';
import { useMay } from '../app/session.ts';
import type { ContentType } from '../model/model.ts';

export function BulkActions({ type }: { readonly type: ContentType }) {
  const may = useMay();
  const canPublish = type.draftAndPublish && may(type.uid, 'update');
  return (
    <>
      {canPublish && (
        <>
          <BulkUpdateButton
            label="entry.publish"
            icon={<PublishIcon />}
            data={{ publishedAt: new Date().toISOString() }}
            mutationMode="pessimistic"
          />
          <BulkUpdateButton
            label="entry.unpublish"
            icon={<UnpublishedIcon />}
            data={{ publishedAt: null }}
            mutationMode="pessimistic"
          />
        </>
      )}
      {may(type.uid, 'delete') && <BulkDeleteButton mutationMode="pessimistic" />}
    </>
  );
}
