/** The types stored by custom fields, which Strapi's schema files don't specify. */

/** Custom fields of well-known plugins. */
const STORED: Readonly<Record<string, string>> = {
  'plugin::address-autocomplete.address': 'json',
  'plugin::ckeditor.CKEditor': 'richtext',
  'plugin::ckeditor5.CKEditor': 'richtext',
  'plugin::color-picker.color': 'string',
  'plugin::country-select.country': 'string',
  'plugin::field-uuid.uuid': 'string',
  'plugin::google-maps.location-picker': 'json',
  'plugin::language.language': 'string',
  'plugin::map-field.map': 'json',
  'plugin::multi-country-select.country': 'json',
  'plugin::multi-select.multi-select': 'json',
  'plugin::opening-hours.opening_hours': 'json',
  'plugin::react-icons.icon': 'string',
  'plugin::seo.seo': 'json',
  'plugin::string-array.input': 'json',
  'plugin::string-array.string-array': 'json',
  'plugin::strapi-advanced-uuid.uuid': 'string',
  'plugin::strapi-leaflet-geoman.geojson': 'json',
  'plugin::strapi-location-picker.location-picker': 'json',
  'plugin::strapi-tiptap-editor.strapi-tiptap-editor': 'text',
  'plugin::tagsinput.tags': 'json',
  'plugin::timezone-select.timezone': 'string',
  'plugin::tinymce.tinymce': 'richtext',
};

/** What the names of unknown custom fields suggest. The first match counts. */
const GUESSES: readonly (readonly [RegExp, string])[] = [
  [/string-array/iu, 'json'],
  [/editor|rich|text/iu, 'text'],
];

/** The type that a custom field stores, and whether it is only a guess from its name. */
export function customType(field: string): { readonly type: string; readonly isGuess: boolean } {
  const known = Object.hasOwn(STORED, field) ? STORED[field] : undefined;
  if (known !== undefined) return { type: known, isGuess: false };
  const guess = GUESSES.find(([pattern]) => pattern.test(field));
  return { type: guess?.[1] ?? 'string', isGuess: true };
}
