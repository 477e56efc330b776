import { useBlocker } from '@tanstack/react-router';
import {
  createContext,
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useContext,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';

// Most pages are never left with a question.
const AskToDiscard = lazy(async () => ({ default: (await import('./ask-to-discard.tsx')).AskToDiscard }));

/** What forms on this page or in this panel were filled in and not saved. */
type Unsaved = { readonly note: (form: string, isUnsaved: boolean) => void };

const UnsavedContext = createContext<Unsaved>({ note: () => {} });

/** Notes whether a form has something that is lost with the page or the panel around it. */
export function useUnsaved(isUnsaved: boolean): void {
  const form = useId();
  const { note } = useContext(UnsavedContext);
  useEffect(() => {
    note(form, isUnsaved);
    return () => note(form, false);
  }, [note, form, isUnsaved]);
}

/** Collects what the forms inside have unsaved, for a panel or a page that asks before it goes. */
export function useUnsavedForms() {
  const forms = useRef(new Set<string>());
  const outer = useContext(UnsavedContext);
  const note = useCallback(
    (form: string, isUnsaved: boolean) => {
      if (isUnsaved) forms.current.add(form);
      else forms.current.delete(form);
      // A page asks for its panels, too.
      outer.note(form, isUnsaved);
    },
    [outer],
  );
  const value = useMemo(() => ({ note }), [note]);
  const hasUnsaved = useCallback(() => forms.current.size > 0, []);
  return { value, hasUnsaved };
}

/** Inside it, {@link useUnsaved} reports to these forms. */
export const UnsavedProvider = UnsavedContext.Provider;

/** Asks before another page replaces one with unsaved forms, and before the browser leaves it. */
export function AskBeforeLeaving({ children }: { readonly children: ReactNode }) {
  const { value, hasUnsaved } = useUnsavedForms();
  const blocker = useBlocker({
    // Filters of a page are in its URL; changing them keeps the page.
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && hasUnsaved(),
    enableBeforeUnload: hasUnsaved,
    withResolver: true,
  });
  return (
    <>
      <UnsavedProvider value={value}>{children}</UnsavedProvider>
      {blocker.status === 'blocked' && (
        <Suspense>
          <AskToDiscard isOpen onKeep={blocker.reset} onDiscard={blocker.proceed} />
        </Suspense>
      )}
    </>
  );
}

/** Whether the fields of a form were touched since it was saved. */
export function useTouched(action: { readonly error: Error | null; readonly isPending: boolean }) {
  const [isTouched, setTouched] = useState(false);
  const wasPending = useRef(false);
  useEffect(() => {
    if (wasPending.current && !action.isPending && action.error === null) setTouched(false);
    wasPending.current = action.isPending;
  }, [action.isPending, action.error]);
  // What is being saved is not asked about: success may close the form or open another page.
  useUnsaved(isTouched && !action.isPending);
  return () => setTouched(true);
}
