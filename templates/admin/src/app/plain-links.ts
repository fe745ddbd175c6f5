/**
 * Cheap links for long menus: plain anchors with one delegated click handler on their container. A router `Link` inside a
 * Material UI button takes a millisecond to render, and there may be hundreds.
 */
import { type MouseEvent, useCallback } from 'react';
import { useHref, useNavigate } from 'react-router';

export interface PlainLinks {
  /** The `href` for a path of the page, such as `/articles`. */
  readonly hrefOf: (path: string) => string;
  /** Click handler for the container of the anchors. */
  readonly onClick: (event: MouseEvent<HTMLElement>) => void;
}

/** Whether the browser should handle a click: it opens a tab or a window, or downloads the target. */
function isForBrowser({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return button !== 0 || metaKey || ctrlKey || shiftKey || altKey;
}

/** `onFollowed` is called after a click on a link. */
export function usePlainLinks(onFollowed?: () => void): PlainLinks {
  const navigate = useNavigate();
  const base = useHref('/').replace(/\/$/u, '');
  const hrefOf = useCallback((path: string) => `${base}${path}`, [base]);
  function onClick(event: MouseEvent<HTMLElement>): void {
    const href = event.target instanceof Element ? event.target.closest('a')?.getAttribute('href') : undefined;
    if (typeof href !== 'string' || event.defaultPrevented || isForBrowser(event)) return;
    event.preventDefault();
    void navigate(href.slice(base.length));
    onFollowed?.();
  }
  return { hrefOf, onClick };
}
