import type { Scope } from '@tollfree/contract/access/scope';
import { type ReactNode, useId } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { useWhyNot } from '../api/use-why-not.ts';

export type ButtonProps = {
  readonly children: ReactNode;
  readonly kind?: 'primary' | 'plain' | 'danger' | 'quiet';
  readonly type?: 'button' | 'submit';
  readonly onPress?: () => void;
  readonly isDisabled?: boolean;
  /** Something is under way that this button began. */
  readonly isPending?: boolean;
  /** What it does, where its text alone does not say it. */
  readonly label?: string;
  readonly isExpanded?: boolean;
  /** What the service asks of a session for it: without them it does nothing, and says why. */
  readonly needs?: readonly Scope[];
  /** Why it can do nothing, where that is no matter of scopes. */
  readonly refusal?: string | undefined;
};

export function Button({ kind = 'plain', type = 'button', label, isExpanded, needs, refusal, ...rest }: ButtonProps) {
  const id = useId();
  const missing = useWhyNot(needs);
  // Who can change nothing at all reads so above every page.
  const isSaidAbove = useWhyNot(['manage']) !== undefined && missing !== undefined;
  const why = missing ?? refusal;
  const button = (
    <AriaButton
      className={`button ${kind}`}
      type={type}
      {...(label === undefined ? {} : { 'aria-label': label })}
      {...(isExpanded === undefined ? {} : { 'aria-expanded': isExpanded })}
      {...rest}
      {...(why === undefined ? {} : { isDisabled: true, 'aria-describedby': id })}
    />
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
