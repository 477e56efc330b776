import type { ReactNode } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';

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
};

export function Button({ kind = 'plain', type = 'button', label, isExpanded, ...rest }: ButtonProps) {
  return (
    <AriaButton
      className={`button ${kind}`}
      type={type}
      {...(label === undefined ? {} : { 'aria-label': label })}
      {...(isExpanded === undefined ? {} : { 'aria-expanded': isExpanded })}
      {...rest}
    />
  );
}
