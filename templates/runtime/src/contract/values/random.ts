/** A pseudorandom generator that can be seeded, and words for sample texts. */

export interface Random {
  /** An integer from 0 to `end` - 1. */
  below(end: number): number;
  /** A member of a non-empty list. */
  pick<T>(list: readonly T[]): T;
  /** True with the probability 1 / `times`. */
  once(times: number): boolean;
}

/** The same seed gives the same numbers. The algorithm is Mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b_79f5) >>> 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), bits | 61)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number): number => Math.floor(next() * end);
  return {
    below,
    pick: (list) => list[below(list.length)] as (typeof list)[number],
    once: (times) => below(times) === 0,
  };
}

const WORDS = (
  'amber anchor apple arrow autumn basket beacon birch bottle bridge bronze button candle canvas cedar cherry circle cloud ' +
  'copper coral cotton cradle crystal dawn delta desert dolphin drum eagle ember engine evening falcon feather field fern ' +
  'forest fountain garden ginger glacier granite harbor harvest hazel hollow honey island ivory jasmine journey juniper kettle ' +
  'lantern lemon linen lotus maple marble meadow mirror morning mountain nectar ocean olive orchard paper pebble pepper ' +
  'planet plum prairie quartz quiet raven ribbon river rocket saffron sail shadow silver sparrow spring stone summer sunset ' +
  'thunder tiger timber valley velvet violet walnut willow window winter zephyr'
).split(' ');

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** `amber willow stone` */
export function randomWords(random: Random, count: number): string {
  return Array.from({ length: count }, () => random.pick(WORDS)).join(' ');
}

/** `Amber willow stone` */
export function randomTitle(random: Random): string {
  return capital(randomWords(random, 2 + random.below(4)));
}

/** The given number of sentences. */
export function randomProse(random: Random, sentences: number): string {
  return Array.from({ length: sentences }, () => `${capital(randomWords(random, 5 + random.below(10)))}.`).join(' ');
}

/** A suffix that is almost certainly unique. */
export function randomSuffix(random: Random): string {
  return random.below(36 ** 6).toString(36);
}
