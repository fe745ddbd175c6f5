/** The Handlebars templates of `templates/project`: mostly fixed text with values filled in. */
import type { TemplateDelegate } from 'handlebars';
import { readTemplate } from './read-templates.ts';

/** The data for a template: only strings, lists and flags. Names and literals are computed beforehand. */
export type View = Readonly<Record<string, unknown>>;

const compiled = new Map<string, TemplateDelegate<View>>();

async function load(name: string): Promise<TemplateDelegate<View>> {
  const known = compiled.get(name);
  if (known) return known;
  const { default: Handlebars } = await import('handlebars');
  // Templates escape nothing: values in views are already escaped for their context.
  const options = { noEscape: true, strict: true, knownHelpersOnly: true };
  const template = Handlebars.compile<View>(readTemplate(`project/${name}.hbs`), options);
  compiled.set(name, template);
  return template;
}

/** Renders `templates/project/<name>.hbs`. Rejects if the view lacks a value that the template refers to. */
export async function render(name: string, view: View): Promise<string> {
  const template = await load(name);
  return template(view);
}
