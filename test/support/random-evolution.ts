/** Random schemas, and random changes of them with what they do to the content. The same seed gives the same result. */
import {
  changeDefault,
  changeEnum,
  changeIndex,
  convert,
  drop,
  exchange,
  makeUnique,
  renameAttribute,
  replaceType,
  require,
} from './random-attribute-changes.ts';
import { changeRelation } from './random-relation-changes.ts';
import { type RandomChange, RandomSchema, type Schema } from './random-schema.ts';
import {
  addTypeOrComponent,
  changeList,
  changeSettings,
  changeZone,
  renameComponent,
  renameType,
} from './random-type-changes.ts';

/** Kinds of changes; those that stand here several times are made as often. A kind may find nothing to change. */
const KINDS: readonly ((on: RandomSchema) => RandomChange | undefined)[] = [
  (on) => on.add(),
  (on) => on.add(),
  renameAttribute,
  renameAttribute,
  exchange,
  drop,
  convert,
  convert,
  replaceType,
  require,
  makeUnique,
  changeDefault,
  changeIndex,
  changeEnum,
  changeRelation,
  changeRelation,
  changeRelation,
  changeList,
  changeList,
  changeZone,
  renameType,
  renameComponent,
  changeSettings,
  addTypeOrComponent,
];

/** Makes changes to one schema, in place. */
export class RandomEvolution {
  readonly #on: RandomSchema;

  constructor(seed: number) {
    this.#on = new RandomSchema(seed);
  }

  get schema(): Schema {
    return this.#on.schema;
  }

  /** Makes up to `count` random changes. */
  next(count: number): readonly RandomChange[] {
    this.#on.touched.clear();
    return Array.from({ length: count }, () => this.#on.pick(KINDS)?.(this.#on)).filter(
      (change) => change !== undefined,
    );
  }
}
