/** What the menu has beside the types of the schema. */

export interface ExtraPage {
  readonly to: string;
  readonly label: string;
}

export function useExtraPages(): readonly ExtraPage[] {
  return [];
}
