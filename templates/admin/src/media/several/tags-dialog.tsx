/** Adds tags to the selected files, and removes others. Loaded on demand. */
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import TagsInput from '../tags/tags-input.tsx';
import { ChangeDialog, type ChangeProps } from './change-dialog.tsx';

export default function TagsDialog(props: ChangeProps) {
  const translate = useTranslate();
  const [addTags, setAddTags] = useState<readonly string[]>([]);
  const [removeTags, setRemoveTags] = useState<readonly string[]>([]);
  const isChange = addTags.length > 0 || removeTags.length > 0;
  return (
    <ChangeDialog
      {...props}
      id="tags-dialog"
      action={translate('ra.action.save')}
      change={isChange ? { addTags, removeTags } : undefined}
    >
      <TagsInput label={translate('media.addTags')} value={addTags} onChange={setAddTags} />
      <TagsInput label={translate('media.removeTags')} value={removeTags} onChange={setRemoveTags} />
    </ChangeDialog>
  );
}
