import type { ReactNode } from 'react';
import { Dialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { Button } from './button.tsx';

export type ConfirmProps = {
  readonly title: string;
  /** What will happen. */
  readonly children: ReactNode;
  /** Label of the button that confirms. */
  readonly confirm: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
};

/** The question before an action that stops, costs or cannot be undone. */
export function Confirm({ title, children, confirm, isOpen, onClose, onConfirm }: ConfirmProps) {
  return (
    <ModalOverlay className="overlay" isDismissable isOpen={isOpen} onOpenChange={(next) => next || onClose()}>
      <Modal className="modal">
        <Dialog role="alertdialog" className="dialog">
          <Heading slot="title" className="dialog-title">
            {title}
          </Heading>
          <div className="dialog-text">{children}</div>
          <div className="actions">
            <Button onPress={onClose}>Cancel</Button>
            <Button
              kind="danger"
              onPress={() => {
                onClose();
                onConfirm();
              }}
            >
              {confirm}
            </Button>
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
