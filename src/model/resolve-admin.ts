/** The admin panel: whether there is one, and its settings. */
import type { AdminSettings } from '#contract/admin.ts';
import { reportError } from '../diagnostics/report.ts';
import { suggestion } from '../diagnostics/suggest.ts';
import { named, quoted } from '../diagnostics/visible-text.ts';
import type { Located } from '../schema/definition.ts';
import type { ModelContext } from './model-context.ts';

/** A scheme, a host without placeholders, and an optional rest. */
const PREVIEW_URL = /^https?:\/\/[^\s/?#{}]+(?:[/?#]\S*)?$/u;
/** A name or an address. URLs may have other characters, such as `*`, which would permit every host in a content security policy. */
const HOST = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?|\[[0-9a-f:.]+\])$/u;
const PLACEHOLDER = /\{[A-Za-z]\w*\}/gu;

function isPreviewUrl(url: string): boolean {
  const filled = url.replaceAll(PLACEHOLDER, 'x');
  if (!PREVIEW_URL.test(url) || /[{}]/u.test(filled) || !URL.canParse(filled)) return false;
  const { hostname, username, password } = new URL(filled);
  return HOST.test(hostname) && username === '' && password === '';
}

function checkPreviewUrl({ report }: ModelContext, { value, location }: Located<string>): void {
  if (isPreviewUrl(value)) return;
  reportError(report, {
    code: 'project/admin',
    message: `\`previewUrl\` is not a valid URL: ${quoted(value)}`,
    location,
    hint: 'write a URL with placeholders after the host: https://example.org/preview?type={type}&id={id}',
  });
}

/** Reports types that there are not, or that are named twice. */
function checkOrder({ schema, report }: ModelContext, order: readonly Located<string>[]): void {
  const uids = schema.contentTypes.map(({ uid }) => uid);
  const seen = new Map<string, Located<string>>();
  for (const one of order) {
    const first = seen.get(one.value);
    seen.set(one.value, first ?? one);
    if (uids.includes(one.value) && first === undefined) continue;
    reportError(report, {
      code: 'project/admin',
      message: first
        ? `\`order\` names ${named(one.value)} twice`
        : `\`order\` refers to the content type ${named(one.value)}, which there is not`,
      location: one.location,
      related: first && [{ message: 'it first occurs here', location: first.location }],
      hint: first ? 'remove one of them' : suggestion(one.value, uids),
    });
  }
}

/** The settings of the admin panel; undefined if there is none. */
export function resolveAdmin(context: ModelContext): AdminSettings | undefined {
  const setting = context.schema.admin?.value ?? true;
  if (typeof setting === 'boolean') return setting ? true : undefined;
  const { previewUrl, order = [] } = setting;
  if (previewUrl) checkPreviewUrl(context, previewUrl);
  checkOrder(context, order);
  if (!previewUrl && order.length === 0) return true;
  return {
    ...(previewUrl && { previewUrl: previewUrl.value }),
    ...(order.length > 0 && { order: order.map(({ value }) => value) }),
  };
}
