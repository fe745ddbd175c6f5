/** Diagnostics for actions. */
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Action, BlockedAction } from './action.ts';
import type { ObstacleKind } from './disk.ts';
import { MANIFEST_FILE } from './project-path.ts';

/** Above this number, further diagnostics of a kind are only counted. The list of actions is always complete. */
const MAX_PER_KIND = 10;

/** For many files at once: after a formatter that changed more than the layout, or before version 0.2.0. */
const ALL_EDITED =
  'to see all edits of generated files, build with --diff --overwrite . and to discard them with --overwrite .';

/** Errors for files that block the build, and notes on other files that the team should know about. */
export function actionDiagnostics(actions: readonly Action[]): readonly Diagnostic[] {
  return shorten(
    actions.flatMap((action) => {
      const diagnostic = diagnosticOf(action);
      return diagnostic ? [{ ...diagnostic, path: action.path }] : [];
    }),
  );
}

function diagnosticOf(action: Action): Diagnostic | undefined {
  const { path } = action;
  switch (action.kind) {
    case 'blocked':
      return { severity: 'error', kind: 'refused', ...blockedDiagnostic(action) };
    case 'update':
      if (action.discards !== 'conflict') return undefined;
      return {
        code: 'output/merge-resolved',
        severity: 'info',
        message: `${path} contained merge conflict markers and was regenerated`,
      };
    case 'keep':
      if (action.reason === 'left-over') {
        return {
          code: 'output/left-over',
          severity: 'warning',
          message: `${path} is no longer generated, but was kept because it has been edited`,
          hint: 'delete it, or move your changes to a file of your own',
        };
      }
      if (action.reason === 'claimed') {
        return {
          code: 'output/claimed',
          severity: 'warning',
          message: `${path} is listed in ${MANIFEST_FILE}, but content-gen does not generate such a file; it was kept and removed from the manifest`,
          hint: `check which commit added it to the manifest, and delete ${path} if nobody needs it`,
        };
      }
      if (action.reason !== 'removed') return undefined;
      return {
        code: 'output/removed',
        severity: 'info',
        message: `${path} has been deleted and is not created again, because it belongs to you`,
        hint: `to restore it, build with --overwrite ${path}`,
      };
    case 'create':
    case 'delete':
    case 'adopt':
      return undefined;
  }
}

function blockedDiagnostic({ path, reason, extensionPoint }: BlockedAction): Omit<Diagnostic, 'severity'> {
  const place = extensionPoint === undefined ? '' : `put your own code in ${extensionPoint}; `;
  switch (reason.kind) {
    case 'edited':
      return {
        code: 'output/edited',
        message: `${path} is a generated file, but was edited by hand or by a merge`,
        hint: `${place}to discard the edits, build with --overwrite ${path}`,
      };
    case 'foreign':
      return {
        code: 'output/foreign-file',
        message: `${path} already exists, but was not written by content-gen`,
        hint: `choose another folder with --out, move the file, or replace it with --overwrite ${path}`,
      };
    case 'history-changed':
      return {
        code: 'output/history-changed',
        message: `${path} is part of a migration and was changed; existing migrations are never rewritten`,
        hint: `restore it from version control; further changes need a new migration`,
      };
    case 'obstacle':
      return {
        code: 'output/obstacle',
        message: `${path} can't be written: ${reason.at === path ? 'it' : reason.at} is ${OBSTACLES[reason.what]}`,
        hint: `move or delete ${reason.at}, and build again`,
      };
  }
}

const OBSTACLES: Readonly<Record<ObstacleKind, string>> = {
  symlink: 'a symbolic link, which content-gen does not follow',
  folder: 'a folder',
  file: 'a file instead of a folder',
  special: 'not a regular file',
};

function shorten(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const counts = new Map<string, number>();
  const shown = diagnostics.filter(({ code }) => {
    const count = (counts.get(code) ?? 0) + 1;
    counts.set(code, count);
    return count <= MAX_PER_KIND;
  });
  return shown.flatMap((diagnostic, index) => {
    const more = (counts.get(diagnostic.code) ?? 0) - MAX_PER_KIND;
    const isLast = shown.findLastIndex(({ code }) => code === diagnostic.code) === index;
    if (!isLast || more <= 0) return [diagnostic];
    const { hint: _hint, path: _path, ...rest } = diagnostic;
    const further = { ...rest, message: `and ${more} more ${more === 1 ? 'file' : 'files'}` };
    return [diagnostic, diagnostic.code === 'output/edited' ? { ...further, hint: ALL_EDITED } : further];
  });
}
