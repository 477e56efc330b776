import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Form } from 'react-aria-components/Form';
import { Problem } from './problem.tsx';

export type FieldFormProps = {
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
  return (
    <Form
      ref={form}
      className="form"
      {...(wrong === undefined || error === null ? {} : { validationErrors: { [wrong]: error.message } })}
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
