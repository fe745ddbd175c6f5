/** Somebody at a browser, with a mouse and a keyboard. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import axe from 'axe-core';
import { vi } from 'vitest';
import { root } from '../../../support/project.ts';
import type { Tab } from './tab.ts';

const inPage = await readFile(new URL('in-page.js', import.meta.url), 'utf8');

/** An element: one of those with the role whose name is `name`, or begins with what it has before `…`. */
export interface Target {
  readonly role: string;
  readonly name?: string;
  /** From 0; negative ones from the end. */
  readonly nth?: number;
  readonly isDisabled?: boolean;
}

interface Found {
  readonly name: string;
  readonly isFocused: boolean;
}

/** `focus` moves it there, `place` asks where the element is, and `point` scrolls it to the middle before. */
type Aim = 'focus' | 'place' | 'point';

/** Keys without a character, as WebDriver writes them. */
export const KEYS = { Enter: '\uE007', Tab: '\uE004', Control: '\uE009', Home: '\uE011', ArrowDown: '\uE015' } as const;
type Key = keyof typeof KEYS;

export interface Hands {
  /** Opens a page, or loads it again. */
  open(url: string): Promise<void>;
  /** All elements like that, in their order; waits for nothing. */
  all(target: Target): Promise<readonly Found[]>;
  /** Waits until the element is there. */
  see(target: Target): Promise<Found>;
  /** Waits until there is none. */
  seeNone(target: Target): Promise<void>;
  /** Presses the button of the mouse over it. */
  click(target: Target): Promise<void>;
  /** Moves the focus there, as Tab would. */
  focus(target: Target): Promise<void>;
  press(key: Key): Promise<void>;
  type(text: string): Promise<void>;
  /** Takes the place of what the field has. */
  write(target: Target, text: string): Promise<void>;
  /** Drags the one to just above the middle of the other. */
  drag(from: Target, to: Target): Promise<void>;
  /** What went wrong in the page since it was opened. */
  complaints(): Promise<readonly string[]>;
  /** Writes what is on the screen to `.tmp/browsers/`. */
  show(name: string): Promise<void>;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

const moveTo = ({ x, y }: Point) => ({ type: 'pointerMove', x, y, duration: 0 });
const down = { type: 'pointerDown', button: 0 };
const pause = { type: 'pause', duration: 40 };
const up = { type: 'pointerUp', button: 0 };

/** Of a drag. */
const STEPS = 12;

export function handsAt(tab: Tab, browser: string): Hands {
  const look = async (target: Target, aim?: Aim) =>
    JSON.parse(await tab.call('(json) => inPage.look(json)', JSON.stringify({ target, aim }))) as {
      readonly found: readonly Found[];
      readonly point?: Point;
    };
  const until = <T>(what: string, target: Target, check: () => Promise<T>) =>
    vi.waitFor(check, { timeout: 15_000, interval: 50 }).catch((error: unknown) => {
      throw new Error(`${what}: ${JSON.stringify(target)}`, { cause: error });
    });
  const mouse = (...actions: readonly object[]) => tab.perform([{ type: 'pointer', id: 'mouse', actions }]);
  const keyboard = (...actions: readonly object[]) => tab.perform([{ type: 'key', id: 'keys', actions }]);
  const stroke = (value: string) => [
    { type: 'keyDown', value },
    { type: 'keyUp', value },
  ];
  const aimAt = (target: Target, aim: Aim = 'point') =>
    until('not to be clicked', target, async () => {
      const { point } = await look(target, aim);
      if (!point) throw new Error('it is not there, moves, or lies under something');
      return point;
    });
  const hands: Hands = {
    async open(url) {
      await tab.open(url);
      await tab.call(`() => { ${axe.source}; ${inPage}; return ''; }`, '');
    },
    all: async (target) => (await look(target)).found,
    see: (target) =>
      until('not seen', target, async () => {
        const seen = (await hands.all(target)).at(target.nth ?? 0);
        if (!seen) throw new Error('there is none');
        return seen;
      }),
    seeNone: (target) =>
      until('still there', target, async () => {
        if ((await hands.all(target)).length > 0) throw new Error('there is one');
      }),
    async click(target) {
      await mouse(moveTo(await aimAt(target)), down, up);
    },
    focus: (target) =>
      until('not to be focused', target, async () => {
        const { found } = await look(target, 'focus');
        if (!found.at(target.nth ?? 0)?.isFocused) throw new Error('it has no focus');
      }),
    press: (key) => keyboard(...stroke(KEYS[key])),
    type: (text) => keyboard(...[...text].flatMap(stroke)),
    async write(target, text) {
      await hands.click(target);
      await keyboard({ type: 'keyDown', value: KEYS.Control }, ...stroke('a'), { type: 'keyUp', value: KEYS.Control });
      await hands.type(text);
    },
    async drag(from, to) {
      const end = await aimAt(to);
      const start = await aimAt(from, 'place');
      // Not each browser moves the mouse in steps by itself.
      const way = Array.from({ length: STEPS }, (_, step) => {
        const share = (step + 1) / STEPS;
        return moveTo({
          x: Math.round(start.x + share * (end.x - start.x)),
          y: Math.round(start.y + share * (end.y - 4 - start.y)),
        });
      });
      await mouse(moveTo(start), down, ...way.flatMap((move) => [move, pause]), up);
    },
    complaints: async () => JSON.parse(await tab.call('() => inPage.complaints()', '')) as string[],
    async show(name) {
      const folder = join(root, '.tmp/browsers');
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, `${browser}-${name}.png`), Buffer.from(await tab.screenshot(), 'base64'));
    },
  };
  return hands;
}
