import type { ReactNode } from 'react';
import { Checkbox } from 'react-aria-components/Checkbox';

type CheckProps = {
  readonly children: ReactNode;
  readonly isSelected: boolean;
  readonly onChange?: (isSelected: boolean) => void;
  readonly isDisabled?: boolean;
};

/** A checkbox. */
export function Check({ children, ...rest }: CheckProps) {
  return (
    <Checkbox className="check" {...rest}>
      <span className="box" aria-hidden="true" />
      <span className="check-text">{children}</span>
    </Checkbox>
  );
}
