import type { ReactNode } from 'react';
import { Dialog, DialogTrigger } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { Button, type ButtonProps } from './button.tsx';

type ConfirmButtonProps = {
  /** Label of the button that asks. */
  readonly text: string;
  readonly title: string;
  /** What will happen. */
  readonly children: ReactNode;
  /** Label of the button that confirms. */
  readonly confirm: string;
  readonly onConfirm: () => void;
} & Pick<ButtonProps, 'isPending' | 'label' | 'needs' | 'refusal'>;

/** A button for an irreversible action: it asks first. */
export function ConfirmButton({ text, title, children, confirm, onConfirm, ...button }: ConfirmButtonProps) {
  return (
    <DialogTrigger>
      <Button kind="danger" {...button}>
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
