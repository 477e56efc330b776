import { useState } from 'react';
import { Button, type ButtonProps } from './button.tsx';
import { Confirm, type ConfirmProps } from './confirm.tsx';

type ConfirmButtonProps = {
  /** Label of the button that asks. */
  readonly text: string;
} & Omit<ConfirmProps, 'isOpen' | 'onClose'> &
  Pick<ButtonProps, 'isPending' | 'label' | 'needs' | 'refusal'>;

/** A button for an irreversible action: it asks first. */
export function ConfirmButton({ text, title, children, confirm, onConfirm, ...button }: ConfirmButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button kind="danger" {...button} onPress={() => setOpen(true)}>
        {text}
      </Button>
      <Confirm title={title} confirm={confirm} isOpen={isOpen} onClose={() => setOpen(false)} onConfirm={onConfirm}>
        {children}
      </Confirm>
    </>
  );
}
