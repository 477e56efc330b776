import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';

type ChipProps = {
  readonly children: ReactNode;
  readonly isOn: boolean;
  readonly onPress: () => void;
  /** Removed when pressed: a filter with a value. */
  readonly isRemovable?: boolean;
};

/** A filter that can be toggled. */
export function Chip({ children, isOn, onPress, isRemovable = false }: ChipProps) {
  return (
    <button type="button" className="chip" aria-pressed={isOn} onClick={onPress}>
      {children}
      {isRemovable ? <Icon name="close" /> : null}
    </button>
  );
}
