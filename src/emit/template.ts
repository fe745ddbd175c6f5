/** The Handlebars templates of `templates/project`: mostly fixed text around ready values. */
import type { TemplateDelegate } from 'handlebars';
import { readTemplate } from './read-templates.ts';

/** A ready view of a template: only texts, lists and flags; names and literals are made before. */
export type View = Readonly<Record<string, unknown>>;

const compiled = new Map<string, TemplateDelegate<View>>();

async function load(name: string): Promise<TemplateDelegate<View>> {
  const known = compiled.get(name);
  if (known) return known;
  const { default: Handlebars } = await import('handlebars');
  // Nothing is escaped here: views hold values that are escaped for their place.
  const options = { noEscape: true, strict: true, knownHelpersOnly: true };
  const template = Handlebars.compile<View>(readTemplate(`project/${name}.hbs`), options);
  compiled.set(name, template);
  return template;
}

/** Renders `templates/project/<name>.hbs`. Rejects when the view lacks a value that the template names. */
export async function render(name: string, view: View): Promise<string> {
  const template = await load(name);
  return template(view);
}
