/** Tells what requests cost, and limits what callers may spend. */
import type { Context, Middleware } from 'koa';
import type { CostSettings } from '../../contract/costs.ts';
import { UnauthorizedError } from '../../contract/errors.ts';
import type { Caller } from '../../contract/policy/caller.ts';
import { COST_ROUTES } from '../../contract/routes/costs.ts';
import { callerName } from '../../http/caller-name.ts';
import type { Feature, FeatureHost, RunningFeature } from '../../http/feature.ts';
import { createAttemptCounter } from '../../http/limits/create-counter.ts';
import { mountRoutes } from '../../http/mount-routes.ts';
import * as state from '../../http/state.ts';
import type { Timing } from '../../http/timings.ts';
import { type Account, createLedger, OverBudgetError } from './ledger.ts';
import { RequestMeter } from './request-meter.ts';

interface Settings {
  readonly production: boolean;
  readonly worker: object | undefined;
}

function budgetOf({ budget = 0, roles = {}, tokens = {} }: CostSettings, caller: Caller): number {
  const own = (budgets: Readonly<Record<string, number>>, name: string | undefined): number | undefined =>
    name !== undefined && Object.hasOwn(budgets, name) ? budgets[name] : undefined;
  // Whoever may create tokens chooses their names.
  if (caller.kind === 'token' && caller.tokenOf === undefined) return own(tokens, caller.tokenName) ?? budget;
  return own(roles, caller.kind === 'token' ? caller.tokenRole : caller.role) ?? budget;
}

/** The account of a caller; undefined if nothing limits it. A user's tokens spend what the user may spend. */
function accountOf(settings: CostSettings, ctx: Context, caller: Caller): Account | undefined {
  const budget = budgetOf(settings, caller);
  if (budget === 0 || caller.kind === 'server') return undefined;
  return { name: caller.tokenOf === undefined ? callerName(ctx) : `user ${caller.tokenOf}`, budget };
}

function tellCost(ctx: Context, cost: number): void {
  ctx.set('X-Cost', String(cost));
  // Pages of other origins can read only exposed headers.
  if (ctx.response.get('Access-Control-Allow-Origin')) ctx.append('Access-Control-Expose-Headers', 'X-Cost');
}

function tellTiming(ctx: Context, { started, parse, plan, read, write }: Timing): void {
  const total = performance.now() - started;
  const parts = { parse, plan, db: read, write, total };
  const told = Object.entries(parts).filter(([name, value]) => name === 'total' || (value !== undefined && value > 0));
  ctx.set('Server-Timing', told.map(([name, value = 0]) => `${name};dur=${value.toFixed(2)}`).join(', '));
}

/** The refusal with what its schema lacks. */
async function explained(host: FeatureHost<Settings>, ctx: Context, caller: Caller, error: OverBudgetError) {
  const { missingLine } = await import('./lower-cost.ts');
  const line = missingLine(host, ctx, caller);
  if (line === undefined) return error;
  return new OverBudgetError(error.cost, error.budget, `; in the schema, ${line} would make it cheaper`);
}

function counting(host: FeatureHost<Settings>): Middleware {
  const { definition, settings, database, timings } = host;
  const { costs = {} } = definition;
  const ledger = createLedger(createAttemptCounter(database, settings));
  return async (ctx, next) => {
    const caller = state.caller.get(ctx);
    if (caller === undefined || caller instanceof UnauthorizedError) return next();
    const account = accountOf(costs, ctx, caller);
    const isTold = !settings.production || caller.permissions.has('costs.find');
    const timing = isTold ? { started: performance.now(), parse: undefined, plan: 0, read: 0, write: 0 } : undefined;
    const meter = new RequestMeter(ledger, account, timing);
    state.costMeter.set(ctx, meter);
    try {
      return await (timing && timings ? timings.measured(timing, next) : next());
    } catch (error) {
      throw error instanceof OverBudgetError ? await explained(host, ctx, caller, error) : error;
    } finally {
      if (!ctx.headerSent && (isTold || account) && meter.cost !== undefined) tellCost(ctx, meter.cost);
      if (!ctx.headerSent && timing) tellTiming(ctx, timing);
    }
  };
}

async function openCosts(host: FeatureHost<Settings>): Promise<RunningFeature> {
  return {
    mounts: [mountRoutes(COST_ROUTES, async () => (await import('./serve-costs.ts')).costHandlers(host))],
    middleware: { api: counting(host) },
  };
}

export const costs: Feature<Settings> = { name: 'costs', routes: COST_ROUTES, start: openCosts };
