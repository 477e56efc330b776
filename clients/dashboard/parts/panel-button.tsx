import { type ReactNode, useState } from 'react';
import { Dialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { Button, type ButtonProps } from './button.tsx';
import { Icon } from './icon.tsx';

type PanelButtonProps = {
  /** Label of the button that opens it. */
  readonly text: ReactNode;
  readonly title: string;
  readonly lead?: ReactNode;
  /** The form. It closes the panel when it is done. */
  readonly children: (close: () => void) => ReactNode;
} & Pick<ButtonProps, 'kind' | 'label' | 'needs' | 'refusal'>;

/** A button that opens a form in a side panel. */
export function PanelButton({ text, title, lead, children, ...button }: PanelButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button {...button} onPress={() => setOpen(true)}>
        {text}
      </Button>
      <ModalOverlay className="overlay at-side" isDismissable isOpen={isOpen} onOpenChange={setOpen}>
        <Modal className="panel">
          <Dialog className="dialog">
            <div className="panel-head">
              <div>
                <Heading slot="title" className="dialog-title">
                  {title}
                </Heading>
                {lead === undefined ? null : <p className="muted">{lead}</p>}
              </div>
              <Button kind="quiet" label="Close" onPress={close}>
                <Icon name="close" />
              </Button>
            </div>
            {children(close)}
          </Dialog>
        </Modal>
      </ModalOverlay>
    </>
  );
}
