import { Menu, MenuItem, MenuTrigger } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import { Button, type ButtonProps } from './button.tsx';
import { Icon } from './icon.tsx';
import type { IconName } from './icon-paths.ts';

export type MenuAction = {
  readonly text: string;
  readonly icon: IconName;
  readonly onAction: () => void;
  /** Drawn as what cannot be undone. */
  readonly isDanger?: boolean;
};

type ActionMenuProps = { readonly label: string; readonly actions: readonly MenuAction[] } & Pick<
  ButtonProps,
  'needs' | 'isPending'
>;

/** What can be done with a row of a list, behind one button. */
export function ActionMenu({ label, actions, ...button }: ActionMenuProps) {
  return (
    <MenuTrigger>
      <Button {...button} label={label}>
        <Icon name="more" />
      </Button>
      <Popover className="menu of-button" placement="bottom end">
        <Menu aria-label={label}>
          {actions.map(({ text, icon, onAction, isDanger = false }) => (
            <MenuItem
              key={text}
              id={text}
              textValue={text}
              className={isDanger ? 'menu-item danger-text' : 'menu-item'}
              onAction={onAction}
            >
              <Icon name={icon} />
              {text}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
