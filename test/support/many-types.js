// A schema with many content types, for measurements: each has twelve attributes, three of them relations.

/** @param {number} index */
const nameOf = (index) => `thing-${String(index).padStart(4, '0')}`;

/**
 * The schema as YAML. `longer` adds one attribute to one type.
 * @param {number} count
 * @param {{ longer?: boolean }} [options]
 */
export function manyTypes(count, { longer = false } = {}) {
  const types = Array.from({ length: count }, (_, index) => {
    const previous = nameOf((index + count - 1) % count);
    const following = nameOf((index + 1) % count);
    const other = nameOf((index * 7 + 3) % count);
    return `  ${nameOf(index)}:
    displayName: Thing ${index}
    description: What number ${index} is about.
    attributes:
      title: { type: string, required: true, maxLength: 120 }
      slug: { type: uid, targetField: title, required: true }
      summary: { type: text, maxLength: 500, description: In a few words. }
      body: { type: richtext }
      quantity: { type: integer, required: true, min: 0, default: ${index} }
      price: { type: decimal, min: 0, max: 999999.99 }
      active: { type: boolean, default: true }
      level: { type: enumeration, enum: [low, medium, high], default: low }
      starts: { type: datetime }
      previous: { type: relation, relation: manyToOne, target: ${previous}, inversedBy: following }
      following: { type: relation, relation: oneToMany, target: ${following}, mappedBy: previous }
      others: { type: relation, relation: manyToMany, target: ${other} }
${longer && index === 0 ? '      surplus: { type: string }\n' : ''}`;
  });
  return `name: many-types\ncontentTypes:\n${types.join('')}permissions:\n  public: { '*': [find, findOne] }\n`;
}
