import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { Form } from 'react-aria-components/Form';
import { Problem } from './problem.tsx';

type FieldFormProps = {
  /** What the service said of the last time it was sent. */
  readonly error: Error | null;
  readonly onSubmit: () => void;
  /** Fields whose `name` is that of the request. */
  readonly children: ReactNode;
};

/** A form that shows what the service refused at the field that it names, and goes there; below all fields otherwise. */
export function FieldForm({ error, onSubmit, children }: FieldFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [wrong, setWrong] = useState<string>();
  useEffect(() => {
    const [, name = ''] = /^(\w+) (?:must|is|already)/.exec(error?.message ?? '') ?? [];
    const field = form.current?.elements.namedItem(name);
    const isField = field instanceof HTMLElement;
    setWrong(isField ? name : undefined);
    if (isField) field.focus();
  }, [error]);
  // The same object as long as it is the same answer: another one would bring back an error that was corrected.
  const errors = useMemo(
    () => (wrong === undefined || error === null ? {} : { [wrong]: error.message }),
    [wrong, error],
  );
  return (
    <Form
      ref={form}
      className="form"
      validationErrors={errors}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
      {wrong === undefined ? <Problem error={error} /> : null}
    </Form>
  );
}
