/** Keyboard shortcuts of the whole page: Ctrl+S and Ctrl+K, on Apple systems ⌘S and ⌘K. */
import { useEffect, useRef } from 'react';
import { reachableCommands } from './form-commands.ts';

const IS_APPLE = /Mac|iPhone|iPad/u.test(navigator.platform);

/** How a shortcut is called: `Ctrl+K`. */
export function keysOf(letter: string): string {
  return IS_APPLE ? `⌘${letter}` : `Ctrl+${letter}`;
}

function letterOf({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): string | undefined {
  const isShortcut = IS_APPLE ? metaKey && !ctrlKey : ctrlKey && !metaKey;
  return isShortcut && !altKey && !shiftKey ? key.toLowerCase() : undefined;
}

/** Ctrl+S never opens the browser's dialog, wherever the focus is. `onPalette` is called for Ctrl+K. */
export function useShortcuts(onPalette: () => void): void {
  const latest = useRef(onPalette);
  latest.current = onPalette;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const letter = letterOf(event);
      if (letter !== 's' && letter !== 'k') return;
      event.preventDefault();
      event.stopPropagation();
      if (event.repeat) return;
      if (letter === 's') reachableCommands()?.save();
      else latest.current();
    };
    // Before the editors, which have shortcuts of their own.
    addEventListener('keydown', onKeyDown, { capture: true });
    return () => removeEventListener('keydown', onKeyDown, { capture: true });
  }, []);
}
