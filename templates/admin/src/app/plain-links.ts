/**
 * Links within the page, of which there may be hundreds at once: plain anchors, whose clicks are heard where they are all in. A
 * `Link` of the router, in a button of Material UI, costs a millisecond.
 */
import { type MouseEvent, useCallback } from 'react';
import { useHref, useNavigate } from 'react-router';

export interface PlainLinks {
  /** The address of a path of the page, such as `/articles`. */
  readonly hrefOf: (path: string) => string;
  /** Of the element around the anchors. */
  readonly onClick: (event: MouseEvent<HTMLElement>) => void;
}

/** Whether a click asks for another tab or window, or for a download. */
function isForBrowser({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return button !== 0 || metaKey || ctrlKey || shiftKey || altKey;
}

/** `onFollowed` is called when a link was clicked. */
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
