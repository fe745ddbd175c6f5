/** The actions of a build, one per file. `build`, `--check`, `--dry-run` and `--diff` all use the same list. */
import type { Ownership } from '../files/generated-file.ts';
import type { ObstacleKind } from './disk.ts';

interface ActionBase {
  readonly path: string;
  readonly ownership: Ownership;
}

export interface CreateAction extends ActionBase {
  readonly kind: 'create';
  readonly content: string;
}

export interface UpdateAction extends ActionBase {
  readonly kind: 'update';
  readonly content: string;
  /** Hash of the content that is replaced. */
  readonly before: string;
  /**
   * Why an edited file is replaced: `--overwrite` names it, or it holds merge conflict markers, which the build
   * resolves.
   */
  readonly discards?: 'edits' | 'conflict';
}

export interface DeleteAction extends ActionBase {
  readonly kind: 'delete';
  readonly before: string;
}

/**
 * Nothing happens. `removed`: the team deleted the file; `left-over`: no longer generated, but edited; `claimed`:
 * listed in the manifest, but no build writes such a file.
 */
export interface KeepAction extends ActionBase {
  readonly kind: 'keep';
  readonly reason: 'unchanged' | 'yours' | 'removed' | 'left-over' | 'claimed';
}

/** The file exists with exactly the content to be written, but is missing from the manifest. */
export interface AdoptAction extends ActionBase {
  readonly kind: 'adopt';
}

/** The file can't be written; the whole build stops. */
export interface BlockedAction extends ActionBase {
  readonly kind: 'blocked';
  readonly reason: BlockedReason;
  readonly extensionPoint?: string;
}

export type BlockedReason =
  /** A managed file that was changed since the last build wrote it. */
  | { readonly kind: 'edited' }
  /** A file with different content that is missing from the manifest. */
  | { readonly kind: 'foreign' }
  /** A migration file that was changed. */
  | { readonly kind: 'history-changed' }
  | { readonly kind: 'obstacle'; readonly what: ObstacleKind; readonly at: string };

export type Action = CreateAction | UpdateAction | DeleteAction | KeepAction | AdoptAction | BlockedAction;

/** Actions that change a file. */
export type ChangeAction = CreateAction | UpdateAction | DeleteAction;

/** Whether an action changes a file. */
export function isChange(action: Action): action is ChangeAction {
  return action.kind === 'create' || action.kind === 'update' || action.kind === 'delete';
}
