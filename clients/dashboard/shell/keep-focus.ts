/** An element that has the focus or is around it, its parent, and its place among the parent's children. */
type Step = { readonly element: Element; readonly parent: Element; readonly index: number };

/** Where the focus is: from the focused element up. */
type Trail = { readonly label: string; readonly page: string; readonly steps: readonly Step[] };

/** What can have the focus by the keyboard. */
const focusable = 'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary, [tabindex="0"]';
/** Links that leave the page, such as those to the documentation: the keyboard does not go on there. */
const leaving = 'a[target="_blank"]';

/**
 * Moves the focus to what is next to a focused element that has gone, such as the button “Remove” of a row. Without that, the
 * keyboard would start at the top of the page again. Returns what ends it.
 */
export function keepFocus(root: HTMLElement): () => void {
  let trail: Trail | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const onFocus = ({ target }: FocusEvent) => {
    trail = target instanceof Element && target !== root ? trailOf(target, root) : undefined;
  };
  const onBlur = ({ target, relatedTarget }: FocusEvent) => {
    if (relatedTarget !== null || !(target instanceof Element)) return;
    // The browser says so before the element is gone. If it stays, someone has clicked next to it.
    queueMicrotask(() => {
      if (target.isConnected && target.matches(focusable)) trail = undefined;
    });
  };
  const move = () => {
    const hasFocus = document.activeElement !== null && document.activeElement !== document.body;
    if (trail === undefined || hasFocus || trail.page !== location.pathname) return;
    const next = findNext(trail);
    trail = undefined;
    next?.focus();
  };
  const onChange = () => {
    const [focused] = trail?.steps ?? [];
    if (focused === undefined) return;
    clearTimeout(timer);
    if (focused.element.isConnected) trail = trailOf(focused.element, root);
    // A dialog gives the focus back by itself, a moment after it has closed.
    else timer = setTimeout(move, 50);
  };
  const observer = new MutationObserver(onChange);
  observer.observe(root, { childList: true, subtree: true });
  root.addEventListener('focusin', onFocus);
  root.addEventListener('focusout', onBlur);
  return () => {
    clearTimeout(timer);
    observer.disconnect();
    root.removeEventListener('focusin', onFocus);
    root.removeEventListener('focusout', onBlur);
  };
}

function trailOf(focused: Element, root: Element): Trail {
  const steps: Step[] = [];
  let element = focused;
  while (element !== root && element.parentElement !== null) {
    const parent = element.parentElement;
    steps.push({ element, parent, index: [...parent.children].indexOf(element) });
    element = parent;
  }
  return { label: focused.textContent, page: location.pathname, steps };
}

/** What has taken the place of the focused element, else what is nearest to it: its namesake if there is one. */
function findNext({ label, steps }: Trail): HTMLElement | undefined {
  for (const { element, parent, index } of steps) {
    if (!parent.isConnected) continue;
    const children = [...parent.children];
    const after = children.slice(element.isConnected ? children.indexOf(element) + 1 : index);
    const before = children.slice(0, children.length - after.length).toReversed();
    for (const child of [...after, ...before]) {
      const found = [child, ...child.querySelectorAll(focusable)].filter(canHaveFocus);
      const next = found.find(({ textContent }) => textContent === label) ?? found[0];
      if (next !== undefined) return next;
    }
  }
  return undefined;
}

function canHaveFocus(element: Element): element is HTMLElement {
  const isOfPage = element.matches(focusable) && !element.matches(leaving);
  return isOfPage && element.closest('[inert]') === null && element.checkVisibility();
}
