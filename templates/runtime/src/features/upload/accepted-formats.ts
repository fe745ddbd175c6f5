/** Which formats of a size a client gets at its address. Loaded only if sizes have several. */
import { servedAs } from '../../contract/file-kinds.ts';
import { IMAGE_FORMATS, type ImageSize, preferredTo } from '../../contract/image-sizes.ts';

/**
 * The stored names to look for before that of an address, the best one first; undefined if all clients get the same there.
 * `accept` is the header of the request.
 */
export type NamesBefore = (name: string, accept: string) => readonly string[] | undefined;

const QUALITY = /^\s*q\s*=\s*(?<value>[01](?:\.\d{0,3})?)\s*$/iu;

/** The quality of each media type in the header `Accept`. */
function qualitiesOf(accept: string): ReadonlyMap<string, number> {
  const qualities = new Map<string, number>();
  for (const range of accept.split(',')) {
    const [type = '', ...parameters] = range.split(';');
    const given = parameters.flatMap((parameter) => QUALITY.exec(parameter)?.groups?.['value'] ?? []);
    qualities.set(type.trim().toLowerCase(), Math.min(1, Number(given[0] ?? 1)));
  }
  return qualities;
}

/** Wildcards accept a size's own format only: many clients send them without knowing all formats. */
export function namesBefore(sizes: readonly ImageSize[]): NamesBefore {
  const formatsOf = new Map(sizes.map(({ name, also = [] }) => [name, also]));
  return (name, accept) => {
    const also = formatsOf.get(name.slice(0, name.indexOf('_'))) ?? [];
    const [hash, ext] = [name.slice(0, name.lastIndexOf('.')), name.slice(name.lastIndexOf('.'))];
    const { type } = servedAs(ext.toLowerCase());
    const preferred = type.startsWith('image/') ? preferredTo(ext, also) : [];
    if (preferred.length === 0) return undefined;
    const qualities = qualitiesOf(accept);
    const own = qualities.get(type) ?? qualities.get('image/*') ?? qualities.get('*/*') ?? 0;
    const quality = (format: (typeof preferred)[number]): number => qualities.get(IMAGE_FORMATS[format].mime) ?? 0;
    return preferred
      .filter((format) => quality(format) > 0 && quality(format) >= own)
      .toSorted((a, b) => quality(b) - quality(a))
      .map((format) => `${hash}${IMAGE_FORMATS[format].ext}`);
  };
}
