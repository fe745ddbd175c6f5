/** The options of `webhooks` in the schema. */
import { EVENT_NAMES } from '#contract/events/event-names.ts';
import type { Located } from './located.ts';
import { mapSchema, option, type OptionValues, readOptions } from './option.ts';
import { locationOf, readFields, readingOf, readList } from './reader.ts';
import { choiceList, type Shape, text, textList } from './shape.ts';

export const webhookOptions = {
  url: option(text, 'The environment variable with the URL that events are posted to: `$SITE_HOOK`.'),
  secret: option(
    text,
    'The environment variable with the secret that signs them: `$SITE_SECRET`. Its value is `whsec_` and base64; two of them, separated by a space, while one replaces the other.',
  ),
  events: option(choiceList(EVENT_NAMES), 'The events that are posted. By default all, except for `cache.purge`.'),
  types: option(textList, 'The content types whose entries are told. By default all.'),
};

export type WebhookDefinition = OptionValues<typeof webhookOptions>;

export const webhooksSetting: Shape<Located<readonly Located<WebhookDefinition>[]>> = {
  read(reader, fields, key) {
    const reading = readingOf(fields, key);
    if (reading === undefined) return undefined;
    const value = readList(reader, reading, (item) => {
      const own = readFields(reader, item, Object.keys(webhookOptions), {
        example: 'for example { url: $SITE_HOOK, secret: $SITE_SECRET }',
      });
      return own && { value: readOptions(reader, own, webhookOptions), location: locationOf(reader, item) };
    });
    return value && { value, location: locationOf(reader, reading) };
  },
  written: 'list of maps',
  jsonSchema: { type: 'array', items: { ...mapSchema(webhookOptions), required: ['url', 'secret'] } },
};
