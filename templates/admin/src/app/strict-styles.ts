/**
 * Emotion writes its rules into `<style>` elements, which `style-src 'self'` blocks. These rules go into constructable style
 * sheets that the document adopts, which CSP permits without a nonce or `'unsafe-inline'`.
 */
import createCache, { type EmotionCache } from '@emotion/cache';

interface SheetOptions {
  readonly key: string;
}

/** The part of Emotion's `StyleSheet` that its cache and global styles use. */
abstract class AdoptedSheet {
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

  /** Changes a rule before it applies. */
  protected abstract change(rule: CSSRule): void;

  hydrate(): void {}

  insert(rule: string): void {
    try {
      const at = this.sheet.insertRule(rule, this.sheet.cssRules.length);
      const inserted = this.sheet.cssRules[at];
      if (inserted) this.change(inserted);
    } catch {
      // The browser does not know the selector, such as ::-moz-focus-inner.
    }
  }

  flush(): void {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== this.sheet);
  }
}

/** An Emotion cache that writes to adopted style sheets. `key`: the prefix of its classes. `change`: what each rule is changed by. */
export function createStrictCache(key: string, change: (rule: CSSRule) => void = () => undefined): EmotionCache {
  // Emotion makes further sheets of the same class.
  class Sheet extends AdoptedSheet {
    protected override change(rule: CSSRule): void {
      change(rule);
    }
  }
  const cache = createCache({ key });
  cache.sheet = new Sheet({ key }) as unknown as EmotionCache['sheet'];
  return cache;
}
