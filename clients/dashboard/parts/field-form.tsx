import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { Form } from 'react-aria-components/Form';
import { Problem } from './problem.tsx';

type FieldFormProps = {
  /** The service's error for the last submission. */
  readonly error: Error | null;
  readonly onSubmit: () => void;
  /** Fields whose `name` is that of the request's field. */
  readonly children: ReactNode;
};

/** A form that shows the service's error at the field it names, and focuses it; other errors are below all fields. */
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
  // Memoized per answer: a new object would bring back a corrected error.
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
