/** GraphQL: whether there is an endpoint, and its settings. */
import type { GraphqlSettings } from '#contract/graphql/settings.ts';
import { reportError } from '../diagnostics/report.ts';
import type { Located } from '../schema/definition.ts';
import type { ModelContext } from './model-context.ts';

/** The ranges of the limits. */
const RANGES = {
  defaultLimit: [1, 1_000_000],
  maxLimit: [1, 1_000_000],
  depthLimit: [2, 50],
} as const;

function limitOf(
  { report }: ModelContext,
  name: keyof typeof RANGES,
  written: Located<number> | undefined,
): Partial<Record<keyof typeof RANGES, number>> {
  if (written === undefined) return {};
  const [least, most] = RANGES[name];
  if (written.value >= least && written.value <= most) return { [name]: written.value };
  reportError(report, {
    code: 'project/graphql',
    message: `\`${name}\` of \`graphql\` must be from ${least} to ${most}, not ${written.value}`,
    location: written.location,
  });
  return {};
}

/** Undefined if there is no GraphQL. */
export function resolveGraphql(context: ModelContext): GraphqlSettings | undefined {
  const setting = context.schema.graphql?.value ?? false;
  if (setting === false) return undefined;
  if (setting === true) return { introspection: 'development' };
  return {
    introspection: setting.introspection?.value ?? 'development',
    ...(setting.trusted?.value === 'only' && { trusted: 'only' as const }),
    ...limitOf(context, 'defaultLimit', setting.defaultLimit),
    ...limitOf(context, 'maxLimit', setting.maxLimit),
    ...limitOf(context, 'depthLimit', setting.depthLimit),
  };
}
