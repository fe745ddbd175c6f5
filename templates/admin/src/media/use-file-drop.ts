/** Files that are dragged from outside of the page. */
import { type DragEvent, useEffect, useState } from 'react';

function hasFiles(data: DataTransfer | null): boolean {
  return data?.types.includes('Files') === true;
}

interface FileDrop {
  /** Whether files are dragged over the element. */
  readonly isOver: boolean;
  /** For the element. */
  readonly handlers: {
    readonly onDragOver: (event: DragEvent) => void;
    readonly onDragLeave: (event: DragEvent) => void;
    readonly onDrop: (event: DragEvent) => void;
  };
}

/** Shows where the files can be dropped. */
export const overStyles = {
  outline: 2,
  outlineStyle: 'dashed',
  outlineColor: 'primary.main',
  outlineOffset: 4,
  borderRadius: 1,
} as const;

/** Lets files be dropped on an element; without `onFiles`, it takes none. */
export function useFileDrop(onFiles: ((files: readonly File[]) => void) | undefined): FileDrop {
  const [isOver, setIsOver] = useState(false);
  return {
    isOver,
    handlers: {
      onDragOver(event) {
        if (!onFiles || !hasFiles(event.dataTransfer)) return;
        event.preventDefault();
        setIsOver(true);
      },
      onDragLeave({ currentTarget, relatedTarget }) {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setIsOver(false);
      },
      onDrop(event) {
        setIsOver(false);
        if (!onFiles || !hasFiles(event.dataTransfer)) return;
        event.preventDefault();
        onFiles([...event.dataTransfer.files]);
      },
    },
  };
}

/** Ignores files that are dropped beside whatever takes them: the browser would open them in place of the page. */
export function useIgnoredDrops(): void {
  useEffect(() => {
    const ignore = (event: globalThis.DragEvent): void => {
      if (event.defaultPrevented || !hasFiles(event.dataTransfer)) return;
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = 'none';
    };
    addEventListener('dragover', ignore);
    addEventListener('drop', ignore);
    return () => {
      removeEventListener('dragover', ignore);
      removeEventListener('drop', ignore);
    };
  }, []);
}
