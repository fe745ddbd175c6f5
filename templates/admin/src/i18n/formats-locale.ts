/** The locale of dates: that of the browser in the language of the panel, such as `en-GB`, otherwise the language. */
export function formatsLocale(language: string): string {
  return navigator.languages.find((locale) => locale.split('-')[0] === language) ?? language;
}
