/** The Handlebars templates of `templates/project`: mostly fixed text around ready values. */
import Handlebars from 'handlebars';
import { readTemplate } from './read-templates.ts';

/** A ready view of a template: only texts, lists and flags; names and literals are made before. */
export type View = Readonly<Record<string, unknown>>;

const compiled = new Map<string, Handlebars.TemplateDelegate<View>>();

function load(name: string): Handlebars.TemplateDelegate<View> {
  const known = compiled.get(name);
  if (known) return known;
  // Nothing is escaped here: views hold values that are escaped for their place.
  const options = { noEscape: true, strict: true, knownHelpersOnly: true };
  const template = Handlebars.compile<View>(readTemplate(`project/${name}.hbs`), options);
  compiled.set(name, template);
  return template;
}

/** Renders `templates/project/<name>.hbs`. Throws when the view lacks a value that the template names. */
export function render(name: string, view: View): string {
  return load(name)(view);
}
