/** A rename. `owner` is the new name of the type or component with the attribute. */
export type Rename =
  | { readonly kind: 'type' | 'component'; readonly from: string; readonly to: string }
  | { readonly kind: 'attribute'; readonly owner: string; readonly from: string; readonly to: string };
