/** `onDelete` of relations: what deleting the related entry does to the entries that have the relation. */
import { type DeleteRule, isMorphInverse } from '#contract/content-type.ts';
import { reportError } from '../diagnostics/report.ts';
import { named } from '../diagnostics/visible-text.ts';
import type { Located, RelationDefinition } from '../schema/definition.ts';
import type { RelationAttribute } from './content-model.ts';
import { describeOwner, type ModelContext, type Owner, USER_TYPE } from './model-context.ts';

type Resolved = Pick<RelationAttribute, 'relation' | 'many' | 'owner' | 'targets' | 'inverse'>;

/** Why a relation can't have its rule, and what to write instead. */
type Fault = readonly [why: string, hint: string];

/** Whether the database refuses entries without the relation. */
function isEnforced({ localized, draftAndPublish }: Owner, { required, visible }: RelationDefinition): boolean {
  return required && visible === undefined && !localized && draftAndPublish !== true;
}

function faultOf(
  owner: Owner,
  definition: RelationDefinition,
  { relation, many, owner: owns, targets: [target], inverse }: Resolved,
  rule: DeleteRule,
): Fault | undefined {
  if (owner.kind === 'component') {
    return ['it is inside a component, which loses what is deleted', 'remove the option'];
  }
  if (!owns || isMorphInverse(relation)) {
    const place = target !== undefined && inverse !== undefined ? named(`${target}.${inverse}`) : 'the other side';
    return [
      'it does not own the relation',
      `write it in ${place}: it says what becomes of the entries that have that attribute`,
    ];
  }
  if (rule === 'cascade' && many) {
    return ['it is a list, which only loses the entry', 'use `restrict`, or a relation to one entry on the other side'];
  }
  if (rule === 'cascade' && owner.uid === USER_TYPE) {
    return [
      `${describeOwner(USER_TYPE)} belong to accounts, which are never deleted with another entry`,
      'use `restrict` or `setNull`',
    ];
  }
  if (rule === 'setNull' && !many && isEnforced(owner, definition)) {
    return ['it is required, so it can never be empty', 'use `restrict` or `cascade`, or remove `required`'];
  }
  return undefined;
}

function report(
  context: ModelContext,
  { name }: RelationDefinition,
  { value, location }: Located<DeleteRule>,
  [why, hint]: Fault,
): void {
  const message = `the relation ${named(name)} can't have \`onDelete: ${value}\`, because ${why}`;
  reportError(context.report, { code: 'relation/on-delete', message, location, hint });
}

/** The rule of a relation. Reports one that it can't have. */
export function resolveDeleteRule(
  context: ModelContext,
  owner: Owner,
  definition: RelationDefinition,
  relation: Resolved,
): DeleteRule {
  const { onDelete, required, visible } = definition;
  if (onDelete) {
    const fault = faultOf(owner, definition, relation, onDelete.value);
    if (fault) report(context, definition, onDelete, fault);
    return onDelete.value;
  }
  const isOwn = owner.kind === 'contentType' && relation.owner && !isMorphInverse(relation.relation);
  return isOwn && required && visible === undefined && !relation.many ? 'restrict' : 'setNull';
}
