import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useId, useState } from 'react';
import { Dialog } from 'react-aria-components/Dialog';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { paymastersQuery } from '../../api/of-account.ts';
import { sessionQuery } from '../../api/session.ts';
import { Icon } from '../../parts/icon.tsx';
import { useCurrentPaymaster } from '../use-current-paymaster.ts';
import { findOnService, kindOf } from './find-on-service.ts';
import { listGoals } from './list-goals.ts';

/** Navigation by typing: to a page, a paymaster, or the object behind an address, a hash or a decision id. */
export function CommandMenu({ onClose }: { readonly onClose: () => void }) {
  const id = useId();
  const navigate = useNavigate();
  const current = useCurrentPaymaster();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const { data: paymasters = [] } = useQuery(paymastersQuery);
  const { data: session } = useQuery(sessionQuery);
  const asked = text.trim();
  const kind = kindOf(asked);
  const found = useQuery({
    queryKey: ['find', asked],
    enabled: kind !== undefined,
    queryFn: () => findOnService(asked, paymasters),
  });
  const goals =
    kind === undefined
      ? listGoals(asked, { current, paymasters, isOperator: session?.operator === true })
      : (found.data ?? []);
  const go = (index: number) => {
    const goal = goals[index];
    if (goal === undefined) return;
    onClose();
    void navigate(goal.target);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setChosen((chosen + step + goals.length) % Math.max(1, goals.length));
    }
    if (event.key === 'Enter') go(chosen);
  };
  return (
    <ModalOverlay className="overlay above" isDismissable isOpen onOpenChange={onClose}>
      <Modal className="command">
        <Dialog aria-label="Find">
          <div className="command-line">
            <Icon name="search" />
            <input
              autoFocus
              role="combobox"
              aria-label="Find a page, an address, a hash or a decision"
              aria-expanded="true"
              aria-controls={id}
              aria-activedescendant={goals[chosen] === undefined ? undefined : `${id} ${chosen}`}
              placeholder="Page, address, hash or decision id"
              spellCheck={false}
              value={text}
              onKeyDown={onKeyDown}
              onChange={({ target }) => {
                setText(target.value);
                setChosen(0);
              }}
            />
            <kbd>Esc</kbd>
          </div>
          <div id={id} role="listbox" aria-label="Results" className="command-list">
            {goals.map((goal, index) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are read by the field, which keeps the focus
              <div
                key={goal.key}
                id={`${id} ${index}`}
                role="option"
                tabIndex={-1}
                aria-selected={index === chosen}
                className="menu-item"
                onClick={() => go(index)}
                onPointerMove={() => setChosen(index)}
              >
                <Icon name={goal.icon} />
                <span>{goal.text}</span>
                <span className="small muted">{goal.note}</span>
              </div>
            ))}
          </div>
          <p role="status" className="menu-title">
            {found.isFetching ? 'Looking for it …' : goals.length === 0 ? 'Nothing found.' : ''}
          </p>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
