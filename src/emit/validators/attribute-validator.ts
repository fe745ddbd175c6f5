/** The call of a runtime validator helper for an attribute: `v.string({ required: true, maxLength: 120 })`. */
import { isFreeText } from '#contract/attribute-types/scalar-type.ts';
import { isMorphInverse, isPolymorphic } from '#contract/content-type.ts';
import type { Attribute, JsonValue, ScalarAttribute } from '../../model/content-model.ts';
import { type Literal, printInline } from '../print-literal.ts';
import { propertyKey } from '../escape.ts';

/** Imports the validator of a component into the file; returns its local name. */
export type ComponentReference = (uid: string) => string;

type Options = Readonly<Record<string, Literal | JsonValue | undefined>>;

function yes(flag: boolean): true | undefined {
  return flag ? true : undefined;
}

/** A call with the arguments `first`, followed by the options unless all are undefined. */
function call(helper: string, first: readonly string[], options: Options): string {
  const given = Object.values(options).some((value) => value !== undefined);
  const texts = given ? [...first, printInline(options)] : first;
  return `v.${helper}(${texts.join(', ')})`;
}

function scalarValidator(attribute: ScalarAttribute): string {
  const { type, minLength, maxLength, regex, min, max, targetField } = attribute;
  return call(type, attribute.enum.length > 0 ? [printInline(attribute.enum)] : [], {
    required: yes(attribute.required),
    // The index limits its length. The length of a uid is limited in any case.
    unique: yes(attribute.unique && isFreeText(type)),
    default: attribute.default,
    minLength,
    maxLength,
    regex,
    min,
    max,
    targetField,
  });
}

/** The helpers and their options are named as in the schema language. */
function attributeValidator(attribute: Attribute, component: ComponentReference): string {
  const required = yes(attribute.required);
  switch (attribute.kind) {
    case 'scalar':
      return scalarValidator(attribute);
    case 'relation': {
      if (isMorphInverse(attribute.relation)) {
        return call('otherSide', [printInline(`${attribute.targets[0] ?? ''}.${attribute.inverse ?? ''}`)], {});
      }
      const morph = yes(isPolymorphic(attribute.relation));
      return call('relation', [], { many: yes(attribute.many), targets: attribute.targets, morph, required });
    }
    case 'media':
      return call('media', [], { many: yes(attribute.multiple), required });
    case 'component': {
      const { repeatable, min, max } = attribute;
      return call('component', [`() => ${component(attribute.component)}`], {
        repeatable: yes(repeatable),
        min,
        max,
        required,
      });
    }
    case 'dynamiczone': {
      const { min, max } = attribute;
      const items = attribute.components.map((uid) => `${propertyKey(uid)}: () => ${component(uid)}`);
      return call('dynamicZone', [`{ ${items.join(', ')} }`], { min, max, required });
    }
  }
}

/** An object literal of validators, one attribute per line. `indent` is the indentation of the line where it starts. */
export function attributesLiteral(
  attributes: readonly Attribute[],
  component: ComponentReference,
  indent: string,
): string {
  if (attributes.length === 0) return '{}';
  const lines = attributes.map((attribute) => {
    const validator = attributeValidator(attribute, component);
    const refusesAll = attribute.kind === 'relation' && isMorphInverse(attribute.relation);
    const conditional = attribute.visible
      ? call('visible', [printInline({ ...attribute.visible }), validator], {})
      : validator;
    const text = attribute.writable || refusesAll ? conditional : `v.notWritable(${conditional})`;
    return `${indent}  ${propertyKey(attribute.name)}: ${text},\n`;
  });
  return `{\n${lines.join('')}${indent}}`;
}
