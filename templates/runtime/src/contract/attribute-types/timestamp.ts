import { datetime } from './datetime.ts';

/** The same as `datetime`. */
export const timestamp = datetime;
