// Runs in the page, after axe: elements are found as assistive technology has them, by role and name. Its types are in hands.ts.

function within(root) {
  return [...root.querySelectorAll('*')].flatMap((element) => [
    element,
    ...(element.shadowRoot ? within(element.shadowRoot) : []),
  ]);
}

function focused() {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return element;
}

/** Whether a transition or an animation of it, or of what it lies in, is running. */
function isAnimated(element) {
  for (let node = element; node; node = node.parentNode ?? node.host) {
    if (node instanceof Element && node.getAnimations().some(({ playState }) => playState === 'running')) return true;
  }
  return false;
}

/** Where its middle is. Undefined while it moves, or lies under something. */
async function middleOf(element) {
  const middle = () => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return { x: Math.round(x + width / 2), y: Math.round(y + height / 2) };
  };
  const before = middle();
  await new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(resolve));
  });
  const { x, y } = middle();
  const hit = element.getRootNode().elementFromPoint(x, y);
  const isHit = hit !== null && (element.contains(hit) || hit.contains(element));
  return isHit && x === before.x && y === before.y && !isAnimated(element) ? { x, y } : undefined;
}

function find({ role, name, isDisabled }) {
  const start = name?.endsWith('…') ? name.slice(0, -1) : undefined;
  const isNamed = (one) => name === undefined || (start === undefined ? one === name : one.startsWith(start));
  axe.setup(document.documentElement);
  try {
    const { aria, dom, text } = axe.commons;
    return within(document)
      .filter((element) => aria.getRole(element) === role && dom.isVisibleToScreenReaders(element))
      .filter((element) => isDisabled === undefined || element.matches(':disabled') === isDisabled)
      .map((element) => ({ element, name: text.accessibleText(element).trim() }))
      .filter((one) => isNamed(one.name));
  } finally {
    axe.teardown();
  }
}

/** What went wrong since the page was opened. */
const complaints = [];

globalThis.inPage = {
  async look(json) {
    const { target, aim } = JSON.parse(json);
    const found = find(target);
    const chosen = found.at(target.nth ?? 0)?.element;
    if (aim === 'focus') chosen?.focus();
    if (aim === 'point') chosen?.scrollIntoView({ block: 'center', behavior: 'instant' });
    const isAsked = chosen !== undefined && (aim === 'point' || aim === 'place');
    return JSON.stringify({
      point: isAsked ? await middleOf(chosen) : undefined,
      found: found.map(({ element, name }) => ({ name, isFocused: element === focused() })),
    });
  },
  complaints: () => JSON.stringify(complaints),
};

addEventListener('error', ({ message }) => complaints.push(message));
addEventListener('unhandledrejection', ({ reason }) => complaints.push(String(reason)));
// Without a source file it was the browser itself, which keeps the look of the text that is written over.
addEventListener('securitypolicyviolation', ({ violatedDirective, sourceFile }) => {
  if (sourceFile) complaints.push(`${violatedDirective}: ${sourceFile}`);
});
const { error } = console;
console.error = (...words) => {
  complaints.push(words.join(' '));
  error(...words);
};
