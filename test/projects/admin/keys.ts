/** A keyboard without a mouse: whatever is pressed was reached with Tab. */
import type { Locator, Page } from 'playwright-core';

/** A screen that needs more stops than this is not usable by keyboard. */
const MAX_STOPS = 80;

/** What buttons, fields and choices are found in: the page, or a part of it. */
type Part = Pick<Page, 'getByRole'>;

export interface Keys {
  /** Presses Tab, or Shift+Tab, until the element has the focus. */
  reach(element: Locator, key?: string): Promise<void>;
  /** Reaches an element and presses a key on it. */
  press(element: Locator, key?: string): Promise<void>;
  /** Reaches a button and presses Enter. */
  pressButton(name: string | RegExp, within?: Part): Promise<void>;
  /** Reaches a field, and replaces what it contains. */
  type(label: string, text: string, within?: Part): Promise<void>;
  /** Opens a list of choices, and takes the one whose name begins so. */
  choose(box: Locator, option: string): Promise<void>;
}

async function isFocused(element: Locator): Promise<boolean> {
  return (await element.count()) > 0 && (await element.first().evaluate((node: any) => node.matches(':focus')));
}

export function keysOf(page: Page): Keys {
  const keys: Keys = {
    async reach(element, key = 'Tab') {
      await element.first().waitFor();
      for (let stops = 0; stops < MAX_STOPS; stops += 1) {
        if (await isFocused(element)) return;
        await page.keyboard.press(key);
      }
      throw new Error(`${String(element)} is not reached by ${key}`);
    },
    async press(element, key = 'Enter') {
      await keys.reach(element);
      await page.keyboard.press(key);
    },
    async pressButton(name, within = page) {
      await keys.press(within.getByRole('button', { name, exact: typeof name === 'string' }));
    },
    async type(label, text, within = page) {
      await keys.reach(within.getByRole('textbox', { name: label, exact: true }));
      await page.keyboard.press('Control+a');
      await page.keyboard.type(text);
    },
    async choose(box, option) {
      await keys.press(box);
      await page.getByRole('option', { name: option }).first().waitFor();
      await page.keyboard.type(option);
      await page.keyboard.press('Enter');
      await page.getByRole('listbox').waitFor({ state: 'detached' });
    },
  };
  return keys;
}
