/** Random schemas, and random changes of them with what they do to the content. The same seed gives the same result. */
import {
  changeDefault,
  changeEnum,
  changeIndex,
  changeSharing,
  convert,
  drop,
  exchange,
  makeUnique,
  renameAttribute,
  replaceType,
  require,
  shortenEnum,
  takeOver,
} from './random-attribute-changes.ts';
import { changeIndexes, changeMemberIndex, changeSearch, repairIndexes } from './random-index-changes.ts';
import { changeRelation, changeTarget, changeTargets } from './random-relation-changes.ts';
import { type RandomChange, RandomSchema, type Schema } from './random-schema.ts';
import {
  addTypeOrComponent,
  changeDrafts,
  changeFormat,
  changeList,
  changeLocaleList,
  changeLocales,
  changeZone,
  dropComponent,
  dropType,
  renameComponent,
  renameType,
  replaceComponent,
} from './random-type-changes.ts';

/** Kinds of changes; those that stand here several times are made as often. A kind may find nothing to change. */
const KINDS: readonly ((on: RandomSchema) => RandomChange | undefined)[] = [
  (on) => on.add(),
  (on) => on.add(),
  renameAttribute,
  renameAttribute,
  exchange,
  takeOver,
  drop,
  convert,
  convert,
  replaceType,
  require,
  makeUnique,
  changeDefault,
  changeIndex,
  changeEnum,
  shortenEnum,
  changeSharing,
  changeSharing,
  changeIndexes,
  changeIndexes,
  changeMemberIndex,
  changeMemberIndex,
  changeSearch,
  changeSearch,
  changeRelation,
  changeRelation,
  changeRelation,
  changeTarget,
  changeTargets,
  changeList,
  changeList,
  changeZone,
  renameType,
  renameComponent,
  changeDrafts,
  changeLocales,
  changeLocaleList,
  changeFormat,
  dropType,
  dropComponent,
  replaceComponent,
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
    this.#on.begin();
    const changes = Array.from({ length: count }, () => this.#on.pick(KINDS)?.(this.#on));
    repairIndexes(this.#on);
    return changes.filter((change) => change !== undefined);
  }
}
