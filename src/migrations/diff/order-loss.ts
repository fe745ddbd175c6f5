/** The order of a list that goes, while what is in it stays. */
import type { Draft } from './draft.ts';

/** Asks for consent to that. `uid`: the type that has the list, `attribute`: what shows it. */
export function orderLoss(draft: Draft, uid: string, attribute: string): void {
  const thing = `${uid}.${attribute}`;
  draft.lose({
    code: 'drops-order',
    thing,
    message: `'${thing}' is no longer a list of the schema: its order would be deleted; which entries belong to each other stays`,
    hint: `Put the attribute back, or lose the order: --allow-destructive ${thing}`,
    places: [thing, uid],
  });
}
