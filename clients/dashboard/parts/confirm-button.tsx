import type { ReactNode } from 'react';
import { Dialog, DialogTrigger } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { Button } from './button.tsx';

export type ConfirmButtonProps = {
  /** On the button that asks. */
  readonly text: string;
  readonly label?: string;
  readonly title: string;
  /** What will happen. */
  readonly children: ReactNode;
  /** On the button that does it. */
  readonly confirm: string;
  readonly onConfirm: () => void;
  readonly isPending?: boolean;
};

/** A button for what cannot be undone: it asks first. */
export function ConfirmButton({ text, label, title, children, confirm, onConfirm, isPending }: ConfirmButtonProps) {
  return (
    <DialogTrigger>
      <Button kind="danger" {...(label === undefined ? {} : { label })} isPending={isPending ?? false}>
        {text}
      </Button>
      <ModalOverlay className="overlay" isDismissable>
        <Modal className="modal">
          <Dialog role="alertdialog" className="dialog">
            {({ close }) => (
              <>
                <Heading slot="title" className="dialog-title">
                  {title}
                </Heading>
                <div className="dialog-text">{children}</div>
                <div className="actions">
                  <Button onPress={close}>Cancel</Button>
                  <Button
                    kind="danger"
                    onPress={() => {
                      close();
                      onConfirm();
                    }}
                  >
                    {confirm}
                  </Button>
                </div>
              </>
            )}
          </Dialog>
        </Modal>
      </ModalOverlay>
    </DialogTrigger>
  );
}
