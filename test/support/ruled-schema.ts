/** Random schemas with rules of every kind: of reads, drafts, changes, links, attributes and files. */
import { RandomSchema, type Schema } from './random-schema.ts';

const READS = ['find', 'findOne'] as const;
const DEEPEST = 2;

/** Adds what rules ask: an owner, and whether an entry is open. */
function addOwners(schema: Schema): void {
  for (const type of Object.values<Schema>(schema.contentTypes)) {
    type.attributes.open = { type: 'boolean', default: false };
    type.attributes.owner = { type: 'relation', relation: 'oneWay', target: 'user' };
  }
}

class RandomRules {
  readonly #all: RandomSchema;

  constructor(all: RandomSchema) {
    this.#all = all;
  }

  /** A condition on one attribute, perhaps through a relation. */
  #condition(type: string, depth: number): object {
    const { schema } = this.#all;
    const relations = Object.entries<Schema>(schema.contentTypes[type].attributes).filter(
      ([, one]) => one.type === 'relation' && one.target !== undefined && one.target !== 'user',
    );
    const relation = depth < DEEPEST && this.#all.chance(0.4) ? this.#all.pick(relations) : undefined;
    if (relation) {
      const [name, { target }] = relation;
      return { [name]: this.#all.chance(0.3) ? { id: { $notNull: true } } : this.#where(target, depth + 1) };
    }
    const letter = this.#all.pick(['a', 'e', 'i', 'o', 's']);
    const conditions = [
      { open: this.#all.chance(0.5) },
      { owner: '$user' },
      { owner: { $null: true } },
      { title: { $contains: letter } },
      { title: { $notNull: true } },
      { title: '$user.username' },
    ];
    return this.#all.pick<object>(conditions) ?? {};
  }

  #where(type: string, depth = 0): object {
    if (depth < DEEPEST && this.#all.chance(0.3)) {
      const [one, other] = [this.#where(type, depth + 1), this.#where(type, depth + 1)];
      if (this.#all.chance(0.3)) return { $not: one };
      return { [this.#all.chance(0.7) ? '$or' : '$and']: [one, other] };
    }
    return this.#condition(type, depth);
  }

  /** An action, perhaps with a rule. */
  #permission(type: string, action: string): unknown {
    const names = Object.keys(this.#all.schema.contentTypes[type].attributes).filter((name) => name !== 'title');
    const isRead = READS.some((read) => read === action);
    const except = isRead && this.#all.chance(0.2) ? [this.#all.pick(names)] : undefined;
    const where = this.#all.chance(0.7) ? this.#where(type) : undefined;
    return where || except ? { [action]: { ...(where && { where }), ...(except && { except }) } } : action;
  }

  #ofFiles(): readonly object[] {
    const conditions: object[] = [{ usedBy: 'visible' }, { uploadedBy: '$user' }];
    const where = this.#all.chance(0.4) ? { $or: conditions } : this.#all.pick(conditions);
    const some = READS.filter(() => this.#all.chance(0.7));
    return (some.length === 0 ? READS : some).map((action) => ({ [action]: { where } }));
  }

  ofRole(): object {
    const { contentTypes } = this.#all.schema;
    const types = Object.entries<Schema>(contentTypes).flatMap(([type, { kind, draftAndPublish, history }]) => {
      const further = [...(draftAndPublish ? ['preview', 'draft'] : []), ...(history ? ['history'] : []), 'update'];
      const reads = kind === 'singleType' ? ['find'] : READS.filter(() => this.#all.chance(0.85));
      const actions = [...reads, ...further.filter(() => this.#all.chance(0.6))];
      const link = kind !== 'singleType' && this.#all.chance(0.2) ? [{ link: { where: this.#where(type) } }] : [];
      const all = actions.map((action) => this.#permission(type, action));
      return reads.length === 0 ? [] : [[type, [...all, ...link]] as const];
    });
    return { ...Object.fromEntries(types), upload: this.#ofFiles() };
  }
}

/** The same seed gives the same schema. */
export function ruledSchema(seed: number): Schema {
  const all = new RandomSchema(seed);
  const { schema } = all;
  addOwners(schema);
  for (const type of Object.values<Schema>(schema.contentTypes)) if (all.chance(0.4)) type.history = true;
  const rules = new RandomRules(all);
  return {
    ...schema,
    name: 'ruled',
    api: { format: all.chance(0.5) ? 'v4' : 'v5' },
    permissions: { public: rules.ofRole(), authenticated: rules.ofRole(), member: rules.ofRole() },
  };
}
