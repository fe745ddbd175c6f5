/** Loads what keeps deleted entries, if a type has a trash. */
import { explainMissingModule } from '../base/missing-module.ts';
import type { Augment } from '../write/augment.ts';
import type { ServerDefinition } from './definition.ts';
import { hasTrash } from './start-features.ts';

/** The steps of each write that deletes entries; none if no type has a trash. */
export async function loadTrash({ contentTypes }: ServerDefinition): Promise<readonly Augment[]> {
  if (!hasTrash(contentTypes)) return [];
  const { trashSteps } = await import('../entries/trash/trash-steps.ts').catch(explainMissingModule('trash'));
  return [trashSteps(contentTypes)];
}
