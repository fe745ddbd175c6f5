/** Nesting of components: none may contain itself, and the depth is limited. */
import { reportError } from '../diagnostics/report.ts';
import { named } from '../diagnostics/visible-text.ts';
import type { ComponentDefinition, Located } from '../schema/definition.ts';
import type { ModelContext } from './model-context.ts';

const maxDepth = 10;

/** A component used as an attribute of another one. */
interface Use {
  readonly attribute: string;
  readonly component: Located<string>;
}

function usesOf({ attributes }: ComponentDefinition): readonly Use[] {
  return attributes.flatMap((attribute) =>
    attribute.kind === 'component' ? [{ attribute: attribute.name, component: attribute.component }] : [],
  );
}

interface Walk {
  readonly context: ModelContext;
  /** The nesting depth of each visited component. */
  readonly depths: Map<string, number>;
  /** The path to the component being visited. */
  readonly path: { readonly uid: string; readonly use: Use }[];
}

function reportCycle({ context, path }: Walk, uid: string, use: Use): void {
  const cycle = path.slice(path.findIndex((step) => step.uid === uid));
  const [first, ...others] = [...cycle.map((step) => step.use), use];
  const names = [uid, ...cycle.slice(1).map((step) => step.uid), uid].map(named).join(' → ');
  reportError(context.report, {
    code: 'component/recursive',
    message: `the component ${named(uid)} contains itself: ${names}`,
    location: use.component.location,
    related: [first, ...others]
      .filter((step) => step !== undefined && step !== use && step !== cycle[0]?.use)
      .map((step) => ({
        message: `through ${named(step?.attribute ?? '')}`,
        location: step?.component.location ?? use.component.location,
      })),
    hint: 'use a relation to a content type if you need unlimited depth',
  });
}

function depthOf(walk: Walk, uid: string, use: Use): number {
  const { context, depths, path } = walk;
  const known = depths.get(uid);
  if (known !== undefined) return known;
  const component = context.components.get(uid);
  if (component === undefined) return 0;
  if (path.some((step) => step.uid === uid)) {
    reportCycle(walk, uid, use);
    return 0;
  }
  // Far deeper than allowed: the outermost component is reported anyway, so stop here to protect the stack.
  if (path.length > 4 * maxDepth) return 0;
  path.push({ uid, use });
  const depth = 1 + Math.max(0, ...usesOf(component).map((inner) => depthOf(walk, inner.component.value, inner)));
  path.pop();
  depths.set(uid, depth);
  return depth;
}

/** Reports components that contain themselves, directly or indirectly, or are nested too deeply. */
export function checkComponentNesting(context: ModelContext): void {
  const walk: Walk = { context, depths: new Map(), path: [] };
  for (const { uid, location } of context.schema.components) {
    const depth = depthOf(walk, uid, { attribute: uid, component: { value: uid, location } });
    if (depth <= maxDepth) continue;
    const message = `the component ${named(uid)} is nested ${depth} levels deep; the maximum is ${maxDepth}`;
    reportError(context.report, { code: 'component/too-deep', message, location });
    // One report suffices for all components that contain it.
    return;
  }
}
