import { type ReactNode, useState } from 'react';
import { Button, type ButtonProps } from './button.tsx';
import { Panel, type PanelProps } from './panel.tsx';

type PanelButtonProps = {
  /** Label of the button that opens it. */
  readonly text: ReactNode;
} & Omit<PanelProps, 'isOpen' | 'onClose'> &
  Pick<ButtonProps, 'kind' | 'label' | 'needs' | 'refusal'>;

/** A button that opens a form in a side panel. */
export function PanelButton({ text, title, lead, children, ...button }: PanelButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button {...button} onPress={() => setOpen(true)}>
        {text}
      </Button>
      <Panel title={title} lead={lead} isOpen={isOpen} onClose={() => setOpen(false)}>
        {children}
      </Panel>
    </>
  );
}
