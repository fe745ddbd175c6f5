/** What a build does with each file. `build`, `--check`, `--dry-run` and `--diff` all read one list of them. */
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
  /** Hash of what it replaces. */
  readonly before: string;
  /** Why an edited file is replaced: `--overwrite` names it, or it holds markers of a merge that the build resolves. */
  readonly discards?: 'edits' | 'conflict';
}

export interface DeleteAction extends ActionBase {
  readonly kind: 'delete';
  readonly before: string;
}

/** Nothing happens. `removed`: a file that the team deleted; `left-over`: no longer generated, but edited; `claimed`: in the manifest, but written by no build. */
export interface KeepAction extends ActionBase {
  readonly kind: 'keep';
  readonly reason: 'unchanged' | 'yours' | 'removed' | 'left-over' | 'claimed';
}

/** The file is there already, exactly as it would be written, but the manifest did not know it. */
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
  /** A managed file whose content is not what the last build wrote. */
  | { readonly kind: 'edited' }
  /** A file that the manifest doesn't know, with other content. */
  | { readonly kind: 'foreign' }
  /** A migration that is not as it was written. */
  | { readonly kind: 'history-changed' }
  | { readonly kind: 'obstacle'; readonly what: ObstacleKind; readonly at: string };

export type Action = CreateAction | UpdateAction | DeleteAction | KeepAction | AdoptAction | BlockedAction;

/** Actions that change a file. */
export type ChangeAction = CreateAction | UpdateAction | DeleteAction;

/** Whether an action changes a file. */
export function isChange(action: Action): action is ChangeAction {
  return action.kind === 'create' || action.kind === 'update' || action.kind === 'delete';
}
