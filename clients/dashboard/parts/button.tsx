import type { Scope } from '@tollfree/contract/access/scope';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { useWhyNot } from '../api/use-why-not.ts';
import { Icon } from './icon.tsx';
import { useOfflineSince } from './offline.tsx';

export type ButtonProps = {
  readonly children: ReactNode;
  /** `small` stands in a row of a table. `quiet` has no border. */
  readonly kind?: 'primary' | 'plain' | 'danger' | 'small' | 'quiet';
  readonly type?: 'button' | 'submit';
  readonly onPress?: () => void;
  readonly isDisabled?: boolean;
  /** The button's action is pending. While the browser is offline, the button says that the action waits. */
  readonly isPending?: boolean;
  /** An accessible label, if the text is not enough. */
  readonly label?: string;
  readonly isExpanded?: boolean;
  /** Scopes that the action needs: without them the button is disabled and says why. */
  readonly needs?: readonly Scope[];
  /** Why it is disabled for another reason than scopes. */
  readonly refusal?: string | undefined;
};

export function Button({
  children,
  kind = 'plain',
  type = 'button',
  label,
  isExpanded,
  needs,
  refusal,
  ...rest
}: ButtonProps) {
  const id = useId();
  const missing = useWhyNot(needs);
  // A read-only user sees this above every page.
  const isSaidAbove = useWhyNot(['manage']) !== undefined && missing !== undefined;
  const why = missing ?? refusal;
  const waits = useOfflineSince() !== undefined && rest.isPending === true;
  const button = (
    <AriaButton
      className={`button ${kind}`}
      type={type}
      {...(label === undefined ? {} : { 'aria-label': label })}
      {...(isExpanded === undefined ? {} : { 'aria-expanded': isExpanded })}
      {...rest}
      {...(why === undefined ? {} : { isDisabled: true, 'aria-describedby': id })}
    >
      {children}
      {waits ? <span className="small"> (waits for the connection)</span> : null}
    </AriaButton>
  );
  if (why === undefined) return button;
  return (
    <span className="refused" title={why}>
      {button}
      <span id={id} className={isSaidAbove ? 'only-read' : 'small muted'}>
        {why}
      </span>
    </span>
  );
}

/** Copies a text. `what` names it for screen readers. */
export function CopyButton({ text, what }: { readonly text: string; readonly what: string }) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), 2_000);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setState('copied');
    } catch {
      setState('failed');
    }
  };
  return (
    <span className="copy">
      <Button kind="quiet" label={`Copy ${what}`} onPress={copy}>
        <Icon name={state === 'copied' ? 'check' : 'copy'} />
      </Button>
      <span role="status" className="only-read">
        {state === 'copied' ? `${what} copied` : ''}
        {state === 'failed' ? 'Could not be copied: select the text and copy it' : ''}
      </span>
    </span>
  );
}
