/** The body that answers one entry. */
export function entryBody(entry: string): string {
  return `{"data":${entry},"meta":{}}`;
}
