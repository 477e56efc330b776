import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';

type ChipProps = {
  readonly children: ReactNode;
  readonly isOn: boolean;
  readonly onPress: () => void;
  /** It goes when it is pressed: a filter that holds a value. */
  readonly isRemovable?: boolean;
};

/** A filter that is on or off. */
export function Chip({ children, isOn, onPress, isRemovable = false }: ChipProps) {
  return (
    <button type="button" className="chip" aria-pressed={isOn} onClick={onPress}>
      {children}
      {isRemovable ? <Icon name="close" /> : null}
    </button>
  );
}
