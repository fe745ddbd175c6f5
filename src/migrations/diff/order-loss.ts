/** The loss of the order of a list whose entries are kept. */
import type { Draft } from './draft.ts';

/** Reports that loss, so that it needs consent. `uid`: the type with the list; `attribute`: the list. */
export function orderLoss(draft: Draft, uid: string, attribute: string): void {
  const thing = `${uid}.${attribute}`;
  draft.lose({
    code: 'drops-order',
    thing,
    message: `'${thing}' is no longer a list in the schema, so its order would be deleted; its links are kept`,
    hint: `Restore the attribute. To delete the order, pass --allow-destructive ${thing}`,
    places: [thing, uid],
  });
}
