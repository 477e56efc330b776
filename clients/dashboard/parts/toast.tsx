import { useSyncExternalStore } from 'react';
import { Icon } from './icon.tsx';

type Toast = { readonly id: number; readonly text: string };

/** How long a toast stays, in milliseconds. */
const shownMs = 5_000;
let toasts: readonly Toast[] = [];
let last = 0;
const readers = new Set<() => void>();

function set(next: readonly Toast[]): void {
  toasts = next;
  for (const read of readers) read();
}

/** Reports success for a few seconds. Errors stay where the action was started instead. */
export function toast(text: string): void {
  last += 1;
  const id = last;
  set([...toasts.slice(-2), { id, text }]);
  setTimeout(() => set(toasts.filter((each) => each.id !== id)), shownMs);
}

function subscribe(read: () => void): () => void {
  readers.add(read);
  return () => readers.delete(read);
}

/** The container of toasts, above everything, including dialogs. */
export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts);
  return (
    <div role="status" className="toasts" data-react-aria-top-layer="true">
      {shown.map(({ id, text }) => (
        <p key={id} className="toast">
          <Icon name="check" />
          {text}
        </p>
      ))}
    </div>
  );
}
