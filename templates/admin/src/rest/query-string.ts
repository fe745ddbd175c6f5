/** Query strings in the API's bracket notation: `populate[tags][fields][0]=name`. */

export type QueryValue = string | number | boolean | undefined | readonly QueryValue[] | QueryObject;
export interface QueryObject {
  readonly [name: string]: QueryValue;
}

function* pairs(name: string, value: QueryValue): Iterable<string> {
  if (value === undefined) return;
  if (typeof value === 'object') {
    for (const [key, inner] of Object.entries(value)) yield* pairs(`${name}[${key}]`, inner);
    return;
  }
  // $, commas and colons need no encoding here, and are more readable without.
  const text = encodeURIComponent(value).replaceAll(/%(?:24|2C|3A)/gu, decodeURIComponent);
  yield `${name.replaceAll(/[^\w[\]$.:-]/gu, encodeURIComponent)}=${text}`;
}

/** `?a[b]=1&…`, or nothing for an empty query. */
export function queryString(query: QueryObject): string {
  const text = Object.entries(query)
    .flatMap(([name, value]) => [...pairs(name, value)])
    .join('&');
  return text === '' ? '' : `?${text}`;
}
