/** The smaller versions of images: those of Strapi, as the schema changes them. */
import { DEFAULT_SIZES, type FurtherFormat, type ImageSize, SIZE_LIMITS, SIZE_NAME } from '#contract/image-sizes.ts';
import { reportError } from '../diagnostics/report.ts';
import { quoted } from '../diagnostics/visible-text.ts';
import type { NamedSize, UploadsDefinition } from '../schema/upload-options.ts';
import type { ModelContext } from './model-context.ts';

const CODE = 'project/image-sizes';

/** Undefined if it is invalid, which is reported. */
function resolveSize({ report }: ModelContext, { name, size: { value, location } }: NamedSize): ImageSize | undefined {
  if (value === false) return undefined;
  const refuse = (message: string, at = location): undefined =>
    reportError(report, { code: CODE, message: `the size ${quoted(name)} ${message}`, location: at });
  if (!SIZE_NAME.test(name)) return refuse('must have a name of at most 20 small letters and digits, such as card');
  const { width, height, fit, format } = value;
  for (const side of [width, height]) {
    if (side && (side.value < 1 || side.value > SIZE_LIMITS.side)) {
      return refuse(`must have sides from 1 to ${SIZE_LIMITS.side} pixels, not ${side.value}`, side.location);
    }
  }
  if (!width && !height) return refuse('needs a width or a height');
  if (fit?.value === 'cover' && !(width && height)) return refuse('needs a width and a height to be covered');
  return {
    name,
    ...(width && { width: width.value }),
    ...(height && { height: height.value }),
    ...(fit && { fit: fit.value }),
    ...(format && { format: format.value }),
  };
}

/** The formats of all sizes beside their own; undefined if there are none. */
function resolveFormats(
  { report }: ModelContext,
  { formats = [] }: UploadsDefinition,
): readonly FurtherFormat[] | undefined {
  const all = new Set<FurtherFormat>();
  for (const { value, location } of formats) {
    if (all.has(value)) reportError(report, { code: CODE, message: `\`formats\` lists ${value} twice`, location });
    all.add(value);
  }
  return all.size > 0 ? [...all] : undefined;
}

/** Undefined if the sizes are those of Strapi, in their own formats. */
export function resolveImageSizes(context: ModelContext): readonly ImageSize[] | undefined {
  const { uploads } = context.schema;
  const also = uploads && resolveFormats(context, uploads.value);
  const named = uploads?.value.sizes ?? (also && []);
  if (!uploads || !named) return undefined;
  const changed = new Set(named.map(({ name }) => name));
  const own = named.flatMap((one) => resolveSize(context, one) ?? []);
  const sizes = [...DEFAULT_SIZES.filter(({ name }) => !changed.has(name)), ...own];
  const all = also ? sizes.map((size): ImageSize => ({ ...size, also })) : sizes;
  if (all.length <= SIZE_LIMITS.sizes) return all;
  reportError(context.report, {
    code: CODE,
    message: `images would get ${all.length} versions, of which each costs time and memory at every upload: at most ${SIZE_LIMITS.sizes} are possible`,
    location: uploads.location,
  });
  return undefined;
}
