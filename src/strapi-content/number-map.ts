/** A compact map from numbers to numbers: an import keeps facts about millions of rows in memory. */

const FIRST_CAPACITY = 1024;
const EMPTY = -1;
/** The golden ratio of 2³²: spreads neighboring keys. */
const SPREAD = 0x9e37_79b1;

export interface NumberMap {
  readonly size: number;
  /** Keys are non-negative integers. */
  get(key: number): number | undefined;
  set(key: number, value: number): void;
  delete(key: number): void;
  /** Deletes all entries and frees the memory. */
  clear(): void;
  entries(): Generator<readonly [key: number, value: number]>;
}

/** An open-addressing hash table: 16 bytes per slot, at most two thirds of them in use. */
export function createNumberMap(): NumberMap {
  let keys = new Float64Array(FIRST_CAPACITY).fill(EMPTY);
  let values = new Float64Array(FIRST_CAPACITY);
  let used = 0;
  let deleted = 0;

  const slotOf = (key: number): number => {
    const mask = keys.length - 1;
    let slot = Math.imul((key >>> 0) ^ Math.floor(key / 2 ** 32), SPREAD) >>> 0;
    slot = (slot ^ (slot >>> 15)) & mask;
    while (keys[slot] !== EMPTY && keys[slot] !== key) slot = (slot + 1) & mask;
    return slot;
  };
  const grow = (): void => {
    const [oldKeys, oldValues] = [keys, values];
    keys = new Float64Array(oldKeys.length * 2).fill(EMPTY);
    values = new Float64Array(oldKeys.length * 2);
    for (let index = 0; index < oldKeys.length; index += 1) {
      const key = oldKeys[index] ?? EMPTY;
      if (key === EMPTY) continue;
      const slot = slotOf(key);
      keys[slot] = key;
      values[slot] = oldValues[index] ?? Number.NaN;
    }
  };
  return {
    get size() {
      return used - deleted;
    },
    get(key) {
      const slot = slotOf(key);
      // A deleted key keeps its slot as a tombstone, with the value NaN.
      return keys[slot] === EMPTY || Number.isNaN(values[slot]) ? undefined : values[slot];
    },
    set(key, value) {
      let slot = slotOf(key);
      if (keys[slot] === EMPTY) {
        if (used * 3 > keys.length * 2) {
          grow();
          slot = slotOf(key);
        }
        keys[slot] = key;
        used += 1;
      } else if (Number.isNaN(values[slot])) deleted -= 1;
      values[slot] = value;
    },
    delete(key) {
      const slot = slotOf(key);
      if (keys[slot] === EMPTY || Number.isNaN(values[slot])) return;
      values[slot] = Number.NaN;
      deleted += 1;
    },
    clear() {
      keys = new Float64Array(FIRST_CAPACITY).fill(EMPTY);
      values = new Float64Array(FIRST_CAPACITY);
      [used, deleted] = [0, 0];
    },
    *entries() {
      for (let slot = 0; slot < keys.length; slot += 1) {
        const [key, value] = [keys[slot] ?? EMPTY, values[slot] ?? Number.NaN];
        if (key !== EMPTY && !Number.isNaN(value)) yield [key, value];
      }
    },
  };
}

/** A hash of text as an integer below 2⁵³. Not cryptographic: a million texts have a collision with a probability of about 10⁻⁴. */
export function hashText(text: string): number {
  let [high, low] = [0xdead_beef, 0x41c6_ce57];
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, 2_654_435_761);
    low = Math.imul(low ^ code, 1_597_334_677);
  }
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
  return 4_294_967_296 * (2_097_151 & low) + (high >>> 0);
}

/** Modulus of sums of hashes, so that adding two is exact. */
const SUM_LIMIT = 2 ** 52;

/** A sum of hashes that doesn't depend on their order. */
export function addHash(sum: number, hash: number): number {
  return (sum + (hash % SUM_LIMIT)) % SUM_LIMIT;
}
