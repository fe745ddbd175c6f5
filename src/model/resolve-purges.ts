/** The caches that are purged: receivers of `cache.purge`. */
import { CACHE_EVENTS } from '#contract/events/event-names.ts';
import { type CacheKind, CACHES, type Webhook } from '#contract/events/webhook.ts';
import { reportError } from '../diagnostics/report.ts';
import type { Located } from '../schema/definition.ts';
import type { PurgeDefinition } from '../schema/cache-tag-options.ts';
import type { ModelContext } from './model-context.ts';
import { variableOf } from './resolve-variable.ts';

/** What each kind of cache needs besides its address, and may have; with examples. */
const NEEDS: Readonly<
  Record<
    CacheKind,
    {
      readonly address: string;
      readonly key?: 'token' | 'secret';
      readonly example: string;
      readonly soft: boolean;
    }
  >
> = {
  varnish: { address: '$VARNISH_URL', example: '', soft: true },
  fastly: { address: '$FASTLY_SERVICE', key: 'token', example: '$FASTLY_TOKEN', soft: true },
  cloudflare: { address: '$CLOUDFLARE_ZONE', key: 'token', example: '$CLOUDFLARE_TOKEN', soft: false },
  next: { address: '$SITE_REVALIDATE', key: 'secret', example: '$SITE_SECRET', soft: false },
};

function resolvePurge(
  context: ModelContext,
  { value, location }: Located<PurgeDefinition>,
): Located<Webhook> | undefined {
  const { report } = context;
  const [cache, ...others] = CACHES.filter((kind) => value[kind] !== undefined);
  if (cache === undefined || others.length > 0) {
    const message = `an item of \`purge\` must name one cache: ${CACHES.map((kind) => `\`${kind}\``).join(', ')}`;
    return reportError(report, {
      code: 'project/webhooks',
      message,
      location,
      hint: 'write `{ varnish: $VARNISH_URL }`',
    });
  }
  const { address, key, example, soft } = NEEDS[cache];
  for (const unused of (['token', 'secret', 'soft'] as const).filter(
    (one) => one !== key && !(one === 'soft' && soft),
  )) {
    const written = value[unused];
    if (written === undefined) continue;
    const message = `\`${unused}\` has no meaning for \`${cache}\``;
    reportError(report, { code: 'project/webhooks', message, location: written.location, hint: 'remove it' });
  }
  const owner = `the cache \`${cache}\``;
  const url = variableOf(context, { owner, key: cache, example: address }, value[cache], location);
  const secret = key && variableOf(context, { owner, key, example }, value[key], location);
  if (url === undefined || (key !== undefined && secret === undefined)) return undefined;
  const isSoft = soft && value.soft?.value === true;
  const further = { ...(secret !== undefined && { secret }), cache, ...(isSoft && { soft: true as const }) };
  return { value: { url, ...further, events: CACHE_EVENTS, types: [] }, location };
}

/** Undefined for those that are wrong, which is reported. */
export function resolvePurges(context: ModelContext): readonly (Located<Webhook> | undefined)[] {
  const setting = context.schema.cacheTags?.value;
  const caches = typeof setting === 'object' ? (setting.purge ?? []) : [];
  return caches.map((written) => resolvePurge(context, written));
}
