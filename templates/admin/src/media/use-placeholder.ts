/** What is shown of an image while it loads. Its decoder is loaded only if images have placeholders. */
import { useEffect, useState } from 'react';

/** A picture of a few pixels, as CSS; undefined without a placeholder, and until it is decoded. */
export function usePlaceholder(hash: string | null | undefined): string | undefined {
  const [picture, setPicture] = useState<string>();
  useEffect(() => {
    if (!hash) return undefined;
    let isWanted = true;
    const show = async (): Promise<void> => {
      const { thumbHashToDataURL } = await import('thumbhash');
      const bytes = Uint8Array.from(atob(hash), (letter) => letter.codePointAt(0) ?? 0);
      if (isWanted) setPicture(`url("${thumbHashToDataURL(bytes)}")`);
    };
    // The image comes anyway.
    show().catch(() => undefined);
    return () => {
      isWanted = false;
    };
  }, [hash]);
  return picture;
}
