/** Converts an attribute definition to an attribute of the content model. */
import { isMorphInverse } from '#contract/content-type.ts';
import { reportError, reportWarning } from '../diagnostics/report.ts';
import { suggestion } from '../diagnostics/suggest.ts';
import { named } from '../diagnostics/visible-text.ts';
import type {
  AttributeDefinition,
  ComponentUseDefinition,
  DynamicZoneDefinition,
  Located,
  MediaDefinition,
} from '../schema/definition.ts';
import { mediaTypes } from '../schema/keywords.ts';
import type { Attribute } from './content-model.ts';
import type { ModelContext, Owner } from './model-context.ts';
import { checkCounts } from './resolve-range.ts';
import { resolveDeleteRule } from './resolve-delete-rule.ts';
import { resolveRelation } from './resolve-relation.ts';
import { resolveVisible } from './resolve-visible.ts';
import { resolveScalar } from './resolve-scalar.ts';

/** Reports a component that does not exist. */
function checkComponent({ components, report }: ModelContext, { value, location }: Located<string>): void {
  if (components.has(value)) return;
  reportError(report, {
    code: 'component/unknown',
    message: `there is no component ${named(value)}`,
    location,
    hint:
      suggestion(value, [...components.keys()]) ??
      'define it under `components:`, with a name of the form category.name',
  });
}

function checkZone(context: ModelContext, owner: Owner, definition: DynamicZoneDefinition): void {
  const { report } = context;
  const { name, location, components } = definition;
  const code = 'component/zone';
  if (owner.kind === 'component') {
    const message = `the component ${named(owner.uid)} can't contain the dynamic zone ${named(name)}`;
    const hint = 'use component attributes instead, or move the dynamic zone to the content type';
    reportError(report, { code, message, location, hint });
  }
  if (components.length === 0) {
    const hint = 'add them, for example components: [blocks.quote, blocks.gallery]';
    reportError(report, { code, message: `the dynamic zone ${named(name)} has no components`, location, hint });
  }
  const seen = new Map<string, Located<string>>();
  for (const component of components) {
    const first = seen.get(component.value);
    if (first === undefined) {
      seen.set(component.value, component);
      checkComponent(context, component);
      continue;
    }
    const message = `the dynamic zone ${named(name)} contains the component ${named(component.value)} twice`;
    const related = [{ message: 'it first occurs here', location: first.location }];
    reportError(report, { code, message, location: component.location, related });
  }
}

function checkRepetition({ report }: ModelContext, { name, repeatable, min, max }: ComponentUseDefinition): void {
  const limit = min ?? max;
  if (repeatable || limit === undefined) return;
  reportError(report, {
    code: 'attribute/range',
    message: `${named(name)} can't have \`min\` or \`max\`, because it is not repeatable`,
    location: limit.location,
    hint: 'add repeatable: true, or remove `min` and `max`',
  });
}

function uniqueMediaTypes({ allowedTypes }: MediaDefinition): readonly (typeof mediaTypes)[number][] {
  return allowedTypes === undefined ? mediaTypes : [...new Set(allowedTypes.map((type) => type.value))];
}

/** Options that the grammar allows for every attribute, but that only apply to scalars. */
function checkScalarOptions({ report }: ModelContext, definition: AttributeDefinition): void {
  if (definition.kind === 'scalar') return;
  const { name, kind, unique, default: written } = definition;
  if (unique?.value === true) {
    const message = `${named(name)} can't be unique, because it does not have a single value`;
    const hint = kind === 'relation' ? 'use a `oneToOne` relation, which is always unique' : undefined;
    reportError(report, { code: 'attribute/unique', message, location: unique.location, hint });
  }
  if (written !== undefined) {
    const message = `${named(name)} can't have a default, because it does not have a single value`;
    reportError(report, { code: 'attribute/default', message, location: written.location });
  }
}

function isLocalized({ report }: ModelContext, owner: Owner, { name, localized }: AttributeDefinition): boolean {
  if (localized?.value === true && !owner.localized) {
    reportWarning(report, {
      code: 'attribute/without-effect',
      message:
        owner.kind === 'component'
          ? `\`localized\` of ${named(name)} has no effect, because a component has the locales of the entry that contains it`
          : `\`localized\` of ${named(name)} has no effect, because ${named(owner.uid)} is not localized`,
      location: localized.location,
      hint: owner.kind === 'component' ? undefined : `also add localized: true to ${named(owner.uid)}`,
    });
  }
  return owner.localized && (localized?.value ?? true);
}

/** Resolves one attribute of `owner`, and reports its problems. */
export function resolveAttribute(context: ModelContext, owner: Owner, definition: AttributeDefinition): Attribute {
  checkScalarOptions(context, definition);
  const visible = resolveVisible(context, owner, definition);
  const common = {
    name: definition.name,
    required: definition.required && definition.visible === undefined,
    ...(visible && { visible }),
    private: definition.private,
    writable: definition.writable,
    localized: isLocalized(context, owner, definition),
    displayName: definition.displayName,
    description: definition.description,
    ...(definition.texts && { texts: definition.texts }),
    renamedFrom: definition.renamedFrom?.value,
    location: definition.location,
  };
  switch (definition.kind) {
    case 'scalar':
      return { ...common, ...resolveScalar(context, owner, definition) };
    case 'relation': {
      const relation = resolveRelation(context, owner, definition);
      // The value in each locale follows from the owning sides of the relation.
      const read = isMorphInverse(relation.relation) ? { writable: false, localized: owner.localized } : {};
      const onDelete = resolveDeleteRule(context, owner, definition, relation);
      return { ...common, ...read, ...relation, onDelete, shared: false };
    }
    case 'media':
      return { ...common, kind: 'media', multiple: definition.multiple, allowedTypes: uniqueMediaTypes(definition) };
    case 'component': {
      const { component, repeatable, min, max } = definition;
      checkComponent(context, component);
      checkRepetition(context, definition);
      checkCounts(context.report, definition.name, min, max, ['min', 'max']);
      return { ...common, kind: 'component', component: component.value, repeatable, min: min?.value, max: max?.value };
    }
    case 'dynamiczone': {
      const { components, min, max } = definition;
      checkZone(context, owner, definition);
      checkCounts(context.report, definition.name, min, max, ['min', 'max']);
      const uids = components.map((component) => component.value);
      return { ...common, kind: 'dynamiczone', components: uids, min: min?.value, max: max?.value };
    }
  }
}
