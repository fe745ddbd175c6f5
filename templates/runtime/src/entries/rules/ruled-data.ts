/** Attributes that the rule of an action writes itself (`set`), or that it does not permit to be written. */
import type { ContentType } from '../../contract/content-type.ts';
import { ForbiddenError, ValidationError } from '../../contract/errors.ts';
import type { Values } from '../../contract/item-attributes.ts';
import { type Caller, ruleOf, type WriteAction } from '../../contract/policy/caller.ts';
import { type Rule, variableOf } from '../../contract/policy/rule.ts';
import type { Trust } from '../../content/relations/check-targets.ts';
import type { HookedType, TypeContext, WriteRequest } from '../context.ts';
import { checkData, type DataCheck, sentValues } from '../entry-input.ts';

/** What the rule of an action says of attributes. */
type AttributeRule = Pick<Rule, 'set' | 'only' | 'except'>;

/** Stands for the name of an attribute that must count as unknown. */
const MARK = '\0';

export function attributeRule(caller: Caller, action: WriteAction, { uid }: ContentType): AttributeRule | undefined {
  const rule = ruleOf(caller, action, uid);
  return rule && (rule.set ?? rule.only ?? rule.except) ? rule : undefined;
}

/** Whether a request may name the attribute, or the publication (`publishedAt`). Other names are not for rules. */
export function mayName({ set = {}, only, except }: AttributeRule, { attributes }: ContentType, name: string): boolean {
  if (Object.hasOwn(set, name) || except?.includes(name)) return false;
  const isNamed = Object.hasOwn(attributes, name) || name === 'publishedAt';
  return !only || only.includes(name) || !isNamed;
}

/** Whether a request may change what is in components: which attribute that is, may be unknown. */
export function mayChangeItems(rule: AttributeRule, type: ContentType): boolean {
  return Object.entries(type.attributes).every(
    ([name, attribute]) =>
      (attribute.type !== 'component' && attribute.type !== 'dynamiczone') || mayName(rule, type, name),
  );
}

/** The values that the rule sets. A variable without a value sets null. */
export async function valuesSet(
  { ruleValues }: Pick<HookedType, 'ruleValues'>,
  caller: Caller,
  { set }: AttributeRule,
): Promise<Values> {
  if (!set || !ruleValues) return {};
  const valueOf = await ruleValues(caller);
  return Object.fromEntries(
    Object.entries(set).map(([name, value]) => {
      const variable = variableOf(value);
      return [name, variable ? (valueOf(variable) ?? null) : value];
    }),
  );
}

/** How data is validated, but for the data. */
type Checking = Omit<DataCheck, 'data' | 'notWritable' | 'stored'>;

/** The data without what the rule refuses: like attributes that no request may set, these are unknown. Throws ValidationError. */
async function withoutRefused(
  context: TypeContext,
  data: unknown,
  { rule, checking }: { readonly rule: AttributeRule; readonly checking: Checking },
): Promise<unknown> {
  const entries = Object.entries(sentValues(data));
  const isRefused = (name: string): boolean => !mayName(rule, context.type, name);
  if (!entries.some(([name]) => isRefused(name))) return data;
  const marked = Object.fromEntries(entries.map(([name, value]) => [isRefused(name) ? `${MARK}${name}` : name, value]));
  const { issues } = await checkData(context, { ...checking, data: marked, notWritable: 'awaited' });
  if (issues.some(({ path: [first = ''] }) => first.startsWith(MARK))) {
    const { set = {} } = rule;
    const own = issues.filter(({ path: [first = ''] }) => !Object.hasOwn(set, first));
    throw new ValidationError(
      own.map(({ path, message, ...issue }) => ({
        ...issue,
        path: path.map((key) => key.replace(MARK, '')),
        message: message.replaceAll(MARK, ''),
      })),
    );
  }
  return Object.fromEntries(entries.filter(([name]) => !isRefused(name)));
}

/** Trusts what the rule sets, and what a hook has set. */
export function trusting(set: Values, { trusts }: Pick<WriteRequest, 'trusts'> = {}): Trust {
  return {
    target: (target) => Object.hasOwn(set, target.path[0] ?? '') || trusts?.target(target) === true,
    attribute: (name) => Object.hasOwn(set, name) || trusts?.attribute(name) === true,
  };
}

/** The data of a request as the rule permits it, and how to complete the write once its before-hook has run. */
export interface RuledData {
  readonly data: unknown;
  complete<W extends Omit<WriteRequest, 'checked'>>(write: W): W;
}

/** Where the data is from. */
interface DataSource {
  readonly caller: Caller;
  readonly action: WriteAction;
  readonly checking: Checking;
  /** Whether `publishedAt` is not part of the request's data, but its status, in the v5 format. */
  readonly addsStatus: boolean;
}

/** The data of the request as the rule permits it; `publishedAt` stays if the request does not name it. */
async function permittedData(
  context: TypeContext,
  data: unknown,
  rule: AttributeRule,
  { checking, addsStatus }: DataSource,
): Promise<unknown> {
  if (!addsStatus) return withoutRefused(context, data, { rule, checking });
  const { publishedAt, ...named } = sentValues(data);
  const permitted = await withoutRefused(context, named, { rule, checking });
  return { ...sentValues(permitted), ...(publishedAt !== undefined && { publishedAt }) };
}

/** Throws ValidationError if the request names attributes that it may not. */
export async function ruledData(context: TypeContext, data: unknown, source: DataSource): Promise<RuledData> {
  const { type } = context;
  const { caller, action } = source;
  const rule = attributeRule(caller, action, type);
  if (!rule) return { data, complete: (write) => write };
  const permitted = await permittedData(context, data, rule, source);
  const set = await valuesSet(context, caller, rule);
  const names = Object.keys(set);
  if (names.length === 0) return { data: permitted, complete: (write) => write };
  // No request may set the others, so that they are added after the data was validated.
  const isOpen = (name: string): boolean => type.attributes[name]?.writable !== false;
  const pick = (test: (name: string) => boolean): Values =>
    Object.fromEntries(Object.entries(set).filter(([name]) => test(name)));
  const closed = pick((name) => !isOpen(name));
  return {
    data: { ...sentValues(permitted), ...pick(isOpen) },
    complete(write) {
      const trusted = { ...write, trusts: trusting(set, write) };
      if (Object.keys(closed).length === 0) return trusted;
      if (write.notWritable === 'taken') return { ...trusted, data: { ...sentValues(write.data), ...closed } };
      return { ...trusted, notWritable: 'awaited' as const, added: closed };
    },
  };
}

/**
 * What the rule of updates sets where an update has no body: from the other side of a relation, or with an upload. Throws ForbiddenError
 * for the built-in types, which are validated otherwise.
 */
export async function valuesOfUpdate(context: HookedType, caller: Caller): Promise<Values> {
  const rule = attributeRule(caller, 'update', context.type);
  if (!rule?.set) return {};
  if (!context.validators) throw new ForbiddenError({ reason: `a rule sets values of ${context.type.uid}` });
  return valuesSet(context, caller, rule);
}
