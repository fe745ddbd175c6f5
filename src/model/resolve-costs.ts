/** Costs: whether they are counted, and what callers may spend. */
import type { CostSettings } from '#contract/costs.ts';
import { BUILT_IN_ROLES } from '#contract/policy/built-in-roles.ts';
import { reportError } from '../diagnostics/report.ts';
import { suggestion } from '../diagnostics/suggest.ts';
import { named } from '../diagnostics/visible-text.ts';
import type { CountMap } from '../schema/costs-options.ts';
import type { Located } from '../schema/definition.ts';
import type { ModelContext } from './model-context.ts';

/** Budgets are added up in a column of 32 bits. */
const MOST = 100_000_000;

function inRange({ report }: ModelContext, name: string, written: Located<number>, least: number): number | undefined {
  const { value, location } = written;
  if (value >= least && value <= MOST) return value;
  const message = `\`${name}\` of \`costs\` must be from ${least} to ${MOST}, not ${value}`;
  return reportError(report, { code: 'project/costs', message, location });
}

function budgetsOf(context: ModelContext, key: string, written: CountMap): Readonly<Record<string, number>> {
  return Object.fromEntries(
    written.flatMap(({ name, value }) => {
      const budget = inRange(context, `${key}.${name.value}`, value, 0);
      return budget === undefined ? [] : [[name.value, budget] as const];
    }),
  );
}

function checkRoles({ schema, report }: ModelContext, written: CountMap): void {
  const known = [...new Set([...BUILT_IN_ROLES, ...schema.roles.map(({ role }) => role.value)])];
  for (const { name } of written) {
    if (known.includes(name.value)) continue;
    reportError(report, {
      code: 'project/costs',
      message: `\`roles\` of \`costs\` names ${named(name.value)}, which is no role`,
      location: name.location,
      hint: suggestion(name.value, known),
    });
  }
}

/** Undefined if nobody counts. */
export function resolveCosts(context: ModelContext): CostSettings | undefined {
  const setting = context.schema.costs?.value ?? false;
  if (setting === false) return undefined;
  if (setting === true) return {};
  const { budget, roles = [], tokens = [], rows } = setting;
  checkRoles(context, roles);
  const most = budget && inRange(context, 'budget', budget, 0);
  const assumed = rows && inRange(context, 'rows', rows, 1);
  return {
    ...(most !== undefined && { budget: most }),
    ...(roles.length > 0 && { roles: budgetsOf(context, 'roles', roles) }),
    ...(tokens.length > 0 && { tokens: budgetsOf(context, 'tokens', tokens) }),
    ...(assumed !== undefined && { rows: assumed }),
  };
}
