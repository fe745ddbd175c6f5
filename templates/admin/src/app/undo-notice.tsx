/** A notification with a button that takes back what the user has just done. */
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { useEffect } from 'react';
import { useCloseNotification, useNotify, useTranslate } from 'react-admin';

/** How long it is shown, in milliseconds. */
const SHOWN = 15_000;

interface Props {
  readonly message: string;
  readonly onUndo: () => void;
}

function UndoNotice({ message, onUndo }: Props) {
  const translate = useTranslate();
  const close = useCloseNotification();
  useEffect(() => {
    const timer = setTimeout(close, SHOWN);
    return () => clearTimeout(timer);
  }, []);
  const undo = (
    <Button
      color="inherit"
      size="small"
      onClick={() => {
        onUndo();
        close();
      }}
    >
      {translate('ra.action.undo')}
    </Button>
  );
  return (
    <Alert severity="info" variant="filled" action={undo}>
      {message}
    </Alert>
  );
}

/** Returns a function that offers to take something back. The offer ends with the next notification, such as that of a save. */
export function useOfferUndo(): (message: string, onUndo: () => void) => void {
  const notify = useNotify();
  return (message, onUndo) =>
    notify(<UndoNotice message={message} onUndo={onUndo} />, {
      autoHideDuration: null,
      // A click elsewhere, such as one into the form, does not close it.
      onClose: () => undefined,
    });
}
