import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { Form } from 'react-aria-components/Form';
import { Button, type ButtonProps } from './button.tsx';
import { Problem } from './problem.tsx';
import { useTouched } from './unsaved.tsx';

export type FieldFormProps = {
  /** What the form does. Its error is shown at the field that it names, which gets the focus, or else below the form. */
  readonly action: { readonly error: Error | null; readonly isPending: boolean };
  readonly onSubmit: () => void;
  /** Label of the submit button. */
  readonly submit: string;
  /** Fields whose `name` is that of the request's field. */
  readonly children: ReactNode;
  /** It asks a question, so nothing is lost with what was filled in. */
  readonly savesNothing?: boolean;
} & Pick<ButtonProps, 'kind' | 'needs' | 'isDisabled'>;

/** A form with its submit button. */
export function FieldForm({ action, onSubmit, submit, children, savesNothing = false, ...button }: FieldFormProps) {
  const { error, isPending } = action;
  const touch = useTouched(action);
  const form = useRef<HTMLFormElement>(null);
  const [wrong, setWrong] = useState<string>();
  useEffect(() => {
    const [, name = ''] = /^(\w+) (?:must|is|already)/.exec(error?.message ?? '') ?? [];
    const field = form.current?.elements.namedItem(name);
    const isField = field instanceof HTMLElement;
    setWrong(isField ? name : undefined);
    if (isField) field.focus();
  }, [error]);
  // Memoized per answer: a new object would bring back a corrected error. It stands at its field, so its name is left out.
  const errors = useMemo(
    () => (wrong === undefined || error === null ? {} : { [wrong]: error.message.replace(/^\w+/, 'This') }),
    [wrong, error],
  );
  return (
    <div onInput={savesNothing ? undefined : touch}>
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
        <div className="actions">
          <Button type="submit" kind="primary" needs={['manage']} isPending={isPending} {...button}>
            {submit}
          </Button>
        </div>
        {wrong === undefined ? <Problem error={error} /> : null}
      </Form>
    </div>
  );
}
