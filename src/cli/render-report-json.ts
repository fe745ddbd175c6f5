/** The result of a build as JSON. */
import type { BuildReport } from '../build.ts';
import { renderJson } from '../diagnostics/render-json.ts';

/**
 * One JSON document: `{format, mode, outcome, exitCode, out, migration, actions, diff?, diagnostics}`. An action is
 * `{kind, path, ownership, reason?}`; unchanged files have none. Ends in a line feed.
 */
export function renderReportJson(report: BuildReport, exitCode: number): string {
  const { mode, outcome, out, migration, diff } = report;
  const actions = report.actions
    .filter((action) => action.kind !== 'keep' || action.reason === 'left-over')
    .map((action) => ({
      kind: action.kind,
      path: action.path,
      ownership: action.ownership,
      reason: 'reason' in action ? (typeof action.reason === 'string' ? action.reason : action.reason.kind) : undefined,
    }));
  return renderJson(report.diagnostics, { format: 1, mode, outcome, exitCode, out, migration, actions, diff });
}
