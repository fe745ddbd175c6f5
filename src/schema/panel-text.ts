/** Texts that people see, in one language or in several. */
import { PANEL_LANGUAGES, type PanelLanguage, type Translations } from '#contract/panel-texts.ts';
import { suggestion } from '../diagnostics/suggest.ts';
import { quoted } from '../diagnostics/visible-text.ts';
import { reportError } from '../diagnostics/report.ts';
import type { Located } from './located.ts';
import { readEntries, type Reader, type Reading, readingOf, readText, reportType } from './reader.ts';
import { type Shape, text } from './shape.ts';

/** `value` is the text where the language doesn't matter, such as in comments: English, or the first language that it has. */
export interface PanelText extends Located<string> {
  readonly translations?: Readonly<Partial<Record<PanelLanguage, string>>>;
}

/** A text, or a map from languages to texts. */
export function readPanelText(reader: Reader, reading: Reading): PanelText | undefined {
  if (reading.node.kind === 'list') return reportType(reader, reading, 'a text, or a map of texts by language');
  if (reading.node.kind !== 'map') return readText(reader, reading);
  const translations: Partial<Record<PanelLanguage, string>> = {};
  let first: Located<string> | undefined;
  for (const { key, location, value } of readEntries(reader, reading) ?? []) {
    const language = PANEL_LANGUAGES.find((known) => known === key);
    const read = readText(reader, { node: value, location, what: `the text of \`${key}\`` });
    if (language === undefined) {
      reportError(reader.report, {
        code: 'schema/unknown-key',
        message: `${reading.what} can't have a text in ${quoted(key)}, which is not a language of the admin panel`,
        location,
        hint: suggestion(key, PANEL_LANGUAGES) ?? `its languages are ${PANEL_LANGUAGES.join(', ')}`,
      });
    } else if (read) {
      first ??= read;
      translations[language] = read.value;
    }
  }
  if (first === undefined) {
    return reading.node.entries.length > 0 ? undefined : reportType(reader, reading, 'at least one text');
  }
  const main = PANEL_LANGUAGES.find((language) => translations[language] !== undefined);
  return { value: (main && translations[main]) ?? first.value, location: first.location, translations };
}

const byLanguage = {
  type: 'object',
  minProperties: 1,
  additionalProperties: false,
  properties: Object.fromEntries(PANEL_LANGUAGES.map((language) => [language, text.jsonSchema])),
} as const;

export const panelTextSchema = { anyOf: [text.jsonSchema, byLanguage] };

export const panelText: Shape<PanelText> = {
  read(reader, fields, key) {
    const reading = readingOf(fields, key);
    return reading && readPanelText(reader, reading);
  },
  written: 'text, or texts by language',
  jsonSchema: panelTextSchema,
};

/** The names of values, each located at its key. */
export type PanelTextMap = readonly { readonly from: Located<string>; readonly to: PanelText }[];

export const panelTextMap: Shape<PanelTextMap> = {
  read(reader, fields, key) {
    const reading = readingOf(fields, key);
    return (
      reading &&
      readEntries(reader, reading)?.flatMap(({ key: from, location, value }) => {
        const to = readPanelText(reader, { node: value, location, what: `the name of \`${from}\`` });
        return to === undefined ? [] : [{ from: { value: from, location }, to }];
      })
    );
  },
  written: 'map of texts',
  jsonSchema: { type: 'object', additionalProperties: panelTextSchema },
};

/** The text in a language if it differs from the text without one. */
function otherText({ value, translations }: PanelText, language: PanelLanguage): string | undefined {
  const other = translations?.[language];
  return other === value ? undefined : other;
}

/** The texts in each language that differ from those without one; undefined if there are none. */
export function translationsOf(
  texts: Readonly<Partial<Record<'displayName' | 'description' | 'plural' | 'group', PanelText | undefined>>>,
): Translations | undefined {
  const found = PANEL_LANGUAGES.flatMap((language) => {
    const own = Object.entries(texts).flatMap(([key, one]) => {
      const other = one && otherText(one, language);
      return other === undefined ? [] : [[key, other] as const];
    });
    return own.length === 0 ? [] : [[language, Object.fromEntries(own)] as const];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

/** Adds the names of values that differ from those without a language. */
export function withEnumLabels(texts: Translations | undefined, labels: PanelTextMap = []): Translations | undefined {
  const found = PANEL_LANGUAGES.flatMap((language) => {
    const own = labels.flatMap(({ from, to }) => {
      const other = otherText(to, language);
      return other === undefined ? [] : [[from.value, other] as const];
    });
    return own.length === 0 ? [] : [[language, { ...texts?.[language], enumLabels: Object.fromEntries(own) }] as const];
  });
  return found.length === 0 ? texts : { ...texts, ...Object.fromEntries(found) };
}
