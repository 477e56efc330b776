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
  /** The button's action is pending. */
  readonly isPending?: boolean;
  /** An accessible label, if the text is not enough. */
  readonly label?: string;
  readonly isExpanded?: boolean;
  /** Scopes that the action needs: without them the button is disabled and says why. */
  readonly needs?: readonly Scope[];
  /** Why it is disabled for another reason than scopes. */
  readonly refusal?: string | undefined;
};

export function Button({ kind = 'plain', type = 'button', label, isExpanded, needs, refusal, ...rest }: ButtonProps) {
  const id = useId();
  const missing = useWhyNot(needs);
  // A read-only user sees this above every page.
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
