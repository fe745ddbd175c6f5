import { type RefCallback, useState } from 'react';

/** The width and height of an element in pixels; 0 until it is there. */
export function useSize(): readonly [RefCallback<HTMLElement>, { readonly width: number; readonly height: number }] {
  const [size, setSize] = useState({ width: 0, height: 0 });
  const [observe] = useState(() => (element: HTMLElement | null) => {
    if (!element) return undefined;
    const observer = new ResizeObserver(() => setSize({ width: element.clientWidth, height: element.clientHeight }));
    observer.observe(element);
    return () => observer.disconnect();
  });
  return [observe, size];
}
