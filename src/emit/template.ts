/** The Handlebars templates of `templates/project`: mostly fixed text around ready values. */
import { readFileSync } from 'node:fs';
import Handlebars from 'handlebars';

/** Where the templates and the runtime are: beside `src` and `dist` alike. */
export const TEMPLATES = new URL('../../templates/', import.meta.url);

/** A ready view of a template: only texts, lists and flags; names and literals are made before. */
export type View = Readonly<Record<string, unknown>>;

const compiled = new Map<string, Handlebars.TemplateDelegate<View>>();

function load(name: string): Handlebars.TemplateDelegate<View> {
  const known = compiled.get(name);
  if (known) return known;
  const text = readFileSync(new URL(`project/${name}.hbs`, TEMPLATES), 'utf8');
  // Nothing is escaped here: views hold values that are escaped for their place.
  const template = Handlebars.compile<View>(text, { noEscape: true, strict: true, knownHelpersOnly: true });
  compiled.set(name, template);
  return template;
}

/** Renders `templates/project/<name>.hbs`. Throws when the view lacks a value that the template names. */
export function render(name: string, view: View): string {
  return load(name)(view);
}
