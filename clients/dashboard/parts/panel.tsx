import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { Dialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { AskToDiscard } from './ask-to-discard.tsx';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import { Notice } from './problem.tsx';
import { UnsavedProvider, useUnsavedForms } from './unsaved.tsx';

export type PanelProps = {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** The form. It closes the panel when it is done. */
  readonly children: (close: () => void) => ReactNode;
};

const KeepOpen = createContext<(isKept: boolean) => void>(() => {});

type ShownOnceProps = { readonly children: ReactNode; readonly onDone: () => void };

/** A secret that cannot be read again. Its panel closes by this button only, and by no click next to it. */
export function ShownOnce({ children, onDone }: ShownOnceProps) {
  const setKept = useContext(KeepOpen);
  useEffect(() => {
    setKept(true);
    return () => setKept(false);
  }, [setKept]);
  return (
    <Notice kind="good">
      {children}
      <Button onPress={onDone}>I have copied it</Button>
    </Notice>
  );
}

/** A form at the side of a page. It asks before it closes with unsaved input. */
export function Panel({ title, lead, isOpen, onClose, children }: PanelProps) {
  const [isKept, setKept] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const { value, hasUnsaved } = useUnsavedForms();
  const close = () => {
    setAsking(false);
    onClose();
  };
  const askToClose = () => (hasUnsaved() ? setAsking(true) : close());
  return (
    <ModalOverlay
      className="overlay at-side"
      isDismissable={!isKept}
      isKeyboardDismissDisabled={isKept}
      isOpen={isOpen}
      onOpenChange={(next) => next || askToClose()}
    >
      <Modal className="panel">
        <Dialog className="dialog">
          <div className="panel-head">
            <div>
              <Heading slot="title" className="dialog-title">
                {title}
              </Heading>
              {lead === undefined ? null : <p className="muted">{lead}</p>}
            </div>
            {isKept ? null : (
              <Button kind="quiet" label="Close" onPress={askToClose}>
                <Icon name="close" />
              </Button>
            )}
          </div>
          <UnsavedProvider value={value}>
            <KeepOpen value={setKept}>{children(close)}</KeepOpen>
          </UnsavedProvider>
          <AskToDiscard isOpen={isAsking} onKeep={() => setAsking(false)} onDiscard={close} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
