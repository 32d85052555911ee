import { act, type ReactNode } from 'react';
import { createRoot, type Root } from 'react-dom/client';

/** For tests in jsdom: draws, acts and cleans up, with React's own tools and nothing else. */
const open = new Map<Root, HTMLElement>();

(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;

/** Draws into a new element of the document. `redraw` updates the same tree. */
export function draw(node: ReactNode): { box: HTMLElement; redraw: (node: ReactNode) => void } {
  const box = document.body.appendChild(document.createElement('div'));
  const root = createRoot(box);
  open.set(root, box);
  const redraw = (next: ReactNode) => act(() => root.render(next));
  redraw(node);
  return { box, redraw };
}

/** Takes away everything that was drawn. */
export function undraw(): void {
  for (const [root, box] of open) {
    act(() => root.unmount());
    box.remove();
  }
  open.clear();
}

/** The one element that the selector names. */
export function the<E extends HTMLElement = HTMLElement>(box: HTMLElement, selector: string): E {
  const found = box.querySelectorAll<E>(selector);
  if (found.length !== 1 || found[0] === undefined)
    throw new Error(`${found.length} elements match ${selector}`);
  return found[0];
}

/** The button with this text or label. */
export function button(box: HTMLElement, name: string): HTMLButtonElement {
  const all = [...box.querySelectorAll('button')];
  const found = all.filter(
    (one) => (one.getAttribute('aria-label') ?? one.textContent ?? '').trim() === name,
  );
  if (found.length !== 1 || found[0] === undefined)
    throw new Error(`${found.length} buttons are named ${name}`);
  return found[0];
}

/** Clicks, and waits for what the click started. */
export async function click(element: HTMLElement): Promise<void> {
  await act(async () => element.click());
}

/** Types over a field's value, as the browser does it: React listens to the native setter. */
export function type(field: HTMLElement, value: string): void {
  const setter = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set;
  act(() => {
    setter?.call(field, value);
    field.dispatchEvent(
      new Event(field instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }),
    );
  });
}

/** Sends one DOM event. */
export async function fire(element: HTMLElement, event: Event): Promise<void> {
  await act(async () => {
    element.dispatchEvent(event);
  });
}

/** Waits until what changed within one frame is drawn. */
export async function nextFrame(): Promise<void> {
  await act(() => new Promise<void>((resolve) => void requestAnimationFrame(() => resolve())));
}
