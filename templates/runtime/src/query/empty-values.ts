/** Empty parameters: `sort=`, `sort[]=` and `sort[0]=` are what forms and clients send for a value that was not chosen. */
import { isQueryArray, type QueryObject, type QueryValue } from './query-value.ts';

function isEmpty(value: QueryValue): boolean {
  return value === '' || (isQueryArray(value) && value.every((element) => element === ''));
}

/**
 * The parameters without empty ones, which count as absent; except `filters`, which is refused if it is empty, since what should
 * have restricted the result may be lost.
 */
export function withoutEmpty(parameters: QueryObject): QueryObject {
  const given = Object.entries(parameters).filter(([name, value]) => name === 'filters' || !isEmpty(value));
  return Object.fromEntries(given);
}
