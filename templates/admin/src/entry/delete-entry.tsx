import { DeleteWithConfirmButton, useNotify, useRedirect, useUnselect } from 'react-admin';
import { useFormContext } from 'react-hook-form';
import { type ContentType, resourceOf } from '../model/model.ts';

interface Props {
  readonly type: ContentType;
  readonly id: number;
  /** Whether the entry is being saved. */
  readonly disabled: boolean;
}

export function DeleteEntry({ type, id, disabled }: Props) {
  const notify = useNotify();
  const redirect = useRedirect();
  const resource = resourceOf(type);
  const unselect = useUnselect(resource);
  const { reset } = useFormContext();
  function onSuccess(): void {
    // Discards unsaved changes, so that leaving the deleted entry needs no confirmation.
    reset();
    unselect([id]);
    notify('ra.notification.deleted', { messageArgs: { smart_count: 1 } });
    redirect(type.kind === 'single' ? '/' : 'list', resource);
  }
  return (
    <DeleteWithConfirmButton
      record={{ id }}
      resource={resource}
      mutationMode="pessimistic"
      mutationOptions={{ onSuccess }}
      disabled={disabled}
    />
  );
}
