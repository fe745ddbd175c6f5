/** The options of `uploads` in the schema. */
import { FURTHER_FORMATS, IMAGE_FITS, IMAGE_FORMATS, type ImageFormat } from '#contract/image-sizes.ts';
import type { Located } from './located.ts';
import { mapSchema, option, type OptionValues, readOptions } from './option.ts';
import { locationOf, readEntries, readFields, type Reading, readingOf } from './reader.ts';
import { choice, choiceList, count, flag, type Shape } from './shape.ts';
import { trashSetting } from './trash-option.ts';

const FORMATS = Object.keys(IMAGE_FORMATS) as readonly ImageFormat[];

export const imageSizeOptions = {
  width: option(count, 'The largest width, in pixels. Without it, only the height is bounded.'),
  height: option(count, 'The largest height, in pixels. Without it, only the width is bounded.'),
  fit: option(choice(IMAGE_FITS), 'Whether images fit `inside` the size (default), or are cut to `cover` it.'),
  format: option(choice(FORMATS), 'The format of the version. By default that of the image.'),
};

export type ImageSizeDefinition = OptionValues<typeof imageSizeOptions>;

/** A size by its name; `false`: there is none of this name. */
export interface NamedSize {
  readonly name: string;
  readonly size: Located<ImageSizeDefinition | false>;
}

const sizes: Shape<readonly NamedSize[]> = {
  read(reader, fields, key) {
    const entry = fields.get(key);
    if (entry === undefined) return undefined;
    const reading: Reading = { node: entry.value, location: entry.location, what: '`sizes`' };
    return readEntries(reader, reading, 'for example { card: { width: 640, height: 360, fit: cover } }')?.flatMap(
      ({ key: name, value: node, location }): NamedSize[] => {
        const own: Reading = { node, location, what: `the size \`${name}\`` };
        if (node.kind === 'scalar' && node.value === false) return [{ name, size: { value: false, location } }];
        const read = readFields(reader, own, Object.keys(imageSizeOptions));
        if (!read) return [];
        const value = readOptions(reader, read, imageSizeOptions);
        return [{ name, size: { value, location: locationOf(reader, own) } }];
      },
    );
  },
  written: 'map of sizes',
  jsonSchema: { type: 'object', additionalProperties: { anyOf: [{ const: false }, mapSchema(imageSizeOptions)] } },
};

export const uploadOptions = {
  sizes: option(
    sizes,
    'The smaller versions of images in `formats`, by name, beside `thumbnail`, `small`, `medium` and `large`; `large: false` leaves one out. After a change: `npm run server -- files resize`.',
  ),
  formats: option(
    choiceList(FURTHER_FORMATS),
    'The formats in which sizes are kept as well, the preferred ones first: `[avif, webp]`. The address of a size answers with the first one that a client accepts. By default there are none.',
  ),
  trash: option(
    trashSetting,
    'For how many days deleted files can be restored, with their bytes: `30d`. By default they are gone at once.',
  ),
  folders: option(
    flag,
    'Whether the media library has folders. They are names for people: the addresses of files never change. By default it has none.',
  ),
  focalPoints: option(
    flag,
    'Whether images have a `focalPoint`, which stays in view: sizes with `fit: cover` are cut around it. By default they are cut around the middle.',
  ),
  crops: option(
    flag,
    'Whether images have a `crop`, a part of them that all their sizes show. By default these show the whole image, or what fits.',
  ),
  placeholders: option(
    flag,
    'Whether images have a `placeholder`, which pages show while they load: a ThumbHash in base64. Images from before get theirs by `npm run server -- files resize`. By default they have none.',
  ),
  tags: option(
    flag,
    'Whether files have `tags`: up to 20 words, by which they are found in the media library and by `?tag=`. By default they have none.',
  ),
  resumable: option(
    flag,
    'Whether uploads that are cut off can continue where they ended, by the open protocol tus at `/api/upload/resumable`. By default they start again.',
  ),
};

export type UploadsDefinition = OptionValues<typeof uploadOptions>;

/** Settings of files. */
export const uploadsSetting: Shape<Located<UploadsDefinition>> = {
  read(reader, fields, key) {
    const reading = readingOf(fields, key);
    if (reading === undefined) return undefined;
    const own = readFields(reader, reading, Object.keys(uploadOptions));
    return own && { value: readOptions(reader, own, uploadOptions), location: locationOf(reader, reading) };
  },
  written: 'map',
  jsonSchema: mapSchema(uploadOptions),
};
