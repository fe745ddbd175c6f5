/**
 * Emotion writes its rules into `<style>` elements, which `style-src 'self'` blocks. These rules go into constructable style
 * sheets that the document adopts, which CSP permits without a nonce or `'unsafe-inline'`.
 */
import createCache, { type EmotionCache } from '@emotion/cache';

interface SheetOptions {
  readonly key: string;
}

/** The part of Emotion's `StyleSheet` that its cache and global styles use. */
class AdoptedSheet {
  readonly key: string;
  readonly isSpeedy = true;
  readonly container = document.head;
  readonly tags: HTMLStyleElement[] = [];
  before: Element | null = null;
  private readonly sheet = new CSSStyleSheet();

  constructor({ key }: SheetOptions) {
    this.key = key;
    // Global rules precede component rules in the cascade, whatever the order of creation.
    const adopted = document.adoptedStyleSheets;
    document.adoptedStyleSheets = key.endsWith('-global') ? [this.sheet, ...adopted] : [...adopted, this.sheet];
  }

  hydrate(): void {}

  insert(rule: string): void {
    try {
      this.sheet.insertRule(rule, this.sheet.cssRules.length);
    } catch {
      // The browser does not know the selector, such as ::-moz-focus-inner.
    }
  }

  flush(): void {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== this.sheet);
  }
}

/** An Emotion cache that writes to adopted style sheets. */
export function createStrictCache(): EmotionCache {
  const cache = createCache({ key: 'css' });
  cache.sheet = new AdoptedSheet({ key: 'css' }) as unknown as EmotionCache['sheet'];
  return cache;
}
