/** The types stored by well-known custom fields, which Strapi's schema files don't specify. */

const STORED: Readonly<Record<string, string>> = {
  'plugin::color-picker.color': 'string',
  'plugin::ckeditor.CKEditor': 'richtext',
  'plugin::ckeditor5.CKEditor': 'richtext',
  'plugin::multi-select.multi-select': 'json',
  'plugin::tagsinput.tags': 'json',
  'plugin::seo.seo': 'json',
  'plugin::google-maps.location-picker': 'json',
  'plugin::react-icons.icon': 'string',
  'plugin::strapi-leaflet-geoman.geojson': 'json',
  'plugin::tinymce.tinymce': 'richtext',
};

/** The type that a custom field stores; undefined if unknown. */
export function customType(field: string): string | undefined {
  return Object.hasOwn(STORED, field) ? STORED[field] : undefined;
}
