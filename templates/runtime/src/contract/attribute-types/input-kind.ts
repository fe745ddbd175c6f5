/** How people enter the values of an attribute type. */

/** The fields of the admin panel. `biginteger` keeps the digits as text; `slug` can be made from another attribute. */
export type InputKind =
  | 'text'
  | 'textarea'
  | 'markdown'
  | 'blocks'
  | 'email'
  | 'password'
  | 'slug'
  | 'integer'
  | 'biginteger'
  | 'decimal'
  | 'date'
  | 'time'
  | 'datetime'
  | 'switch'
  | 'select'
  | 'json';
