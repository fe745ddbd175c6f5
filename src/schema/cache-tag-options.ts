/** The options of `cacheTags` in the schema. */
import { type CacheKind, CACHES } from '#contract/events/webhook.ts';
import type { Located } from './located.ts';
import { mapSchema, option, type OptionValues, readOptions } from './option.ts';
import { locationOf, readFields, readingOf, readList } from './reader.ts';
import { flag, type Shape, text } from './shape.ts';
import { switchedOptions } from './switched-options.ts';

export const purgeOptions = {
  varnish: option(text, 'The environment variable with the URL of a Varnish: `$VARNISH_URL`.'),
  fastly: option(text, 'The environment variable with the id of a service of Fastly: `$FASTLY_SERVICE`.'),
  cloudflare: option(text, 'The environment variable with the id of a zone of Cloudflare: `$CLOUDFLARE_ZONE`.'),
  next: option(text, 'The environment variable with the URL of a route of a site made with Next: `$SITE_REVALIDATE`.'),
  token: option(text, 'The environment variable with the token of Fastly or Cloudflare: `$FASTLY_TOKEN`.'),
  secret: option(text, 'The environment variable with the secret that signs requests to Next, as those of webhooks.'),
  soft: option(
    flag,
    'Whether Varnish or Fastly may still give what is purged, while it asks for something newer. By default `false`.',
  ),
} satisfies Record<CacheKind, unknown> & Record<string, unknown>;

export type PurgeDefinition = OptionValues<typeof purgeOptions>;

/** A list of caches, each with where it was written. */
const purgeList: Shape<readonly Located<PurgeDefinition>[]> = {
  read(reader, fields, key) {
    const reading = readingOf(fields, key);
    if (reading === undefined) return undefined;
    return readList(reader, reading, (item) => {
      const own = readFields(reader, item, Object.keys(purgeOptions), {
        example: 'for example { varnish: $VARNISH_URL }',
      });
      return own && { value: readOptions(reader, own, purgeOptions), location: locationOf(reader, item) };
    });
  },
  written: 'list of maps',
  jsonSchema: {
    type: 'array',
    items: { ...mapSchema(purgeOptions), oneOf: CACHES.map((name) => ({ required: [name] })) },
  },
};

export const cacheTagOptions = {
  purge: option(purgeList, 'The caches that are told what a write has changed.'),
};

/** Turns the tags on or off, or says who is told which of them no longer hold. */
export const cacheTagsSetting = switchedOptions(cacheTagOptions);
