import { Dialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { Button } from './button.tsx';

type AskToDiscardProps = { readonly isOpen: boolean; readonly onKeep: () => void; readonly onDiscard: () => void };

/** The question whether to lose what was filled in. */
export function AskToDiscard({ isOpen, onKeep, onDiscard }: AskToDiscardProps) {
  return (
    <ModalOverlay className="overlay" isOpen={isOpen} onOpenChange={(next) => next || onKeep()}>
      <Modal className="modal">
        <Dialog role="alertdialog" className="dialog">
          <Heading slot="title" className="dialog-title">
            Discard your changes?
          </Heading>
          <div className="dialog-text">They are not saved.</div>
          <div className="actions">
            <Button kind="primary" onPress={onKeep}>
              Keep editing
            </Button>
            <Button kind="danger" onPress={onDiscard}>
              Discard
            </Button>
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
