/**
 * Emotion writes its rules into `<style>` elements, which a policy of `style-src 'self'` forbids. These sheets are adopted by the
 * document instead: they are made by script that the policy allows, and need neither a nonce nor `'unsafe-inline'`.
 */
import createCache, { type EmotionCache } from '@emotion/cache';

interface SheetOptions {
  readonly key: string;
}

/** What Emotion's cache, and its global styles, ask of a sheet. */
class AdoptedSheet {
  readonly key: string;
  readonly isSpeedy = true;
  readonly container = document.head;
  readonly tags: HTMLStyleElement[] = [];
  before: Element | null = null;
  private readonly sheet = new CSSStyleSheet();

  constructor({ key }: SheetOptions) {
    this.key = key;
    // Global rules yield to those of components, whichever came first.
    const adopted = document.adoptedStyleSheets;
    document.adoptedStyleSheets = key.endsWith('-global') ? [this.sheet, ...adopted] : [...adopted, this.sheet];
  }

  hydrate(): void {}

  insert(rule: string): void {
    try {
      this.sheet.insertRule(rule, this.sheet.cssRules.length);
    } catch {
      // A selector of another browser, such as ::-moz-focus-inner.
    }
  }

  flush(): void {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== this.sheet);
  }
}

/** A cache whose rules are in sheets that the document adopts. */
export function createStrictCache(): EmotionCache {
  const cache = createCache({ key: 'css' });
  cache.sheet = new AdoptedSheet({ key: 'css' }) as unknown as EmotionCache['sheet'];
  return cache;
}
