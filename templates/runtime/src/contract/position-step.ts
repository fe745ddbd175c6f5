/** The distance between neighbors of a list if nothing limits it: a position can then be put between any two. */
export const POSITION_STEP = 2 ** 16;
