import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { PaymasterItem } from '@tollfree/contract/paymaster';
import { Fragment, type KeyboardEvent, lazy, Suspense, useEffect, useId, useState } from 'react';
import { Dialog } from 'react-aria-components/Dialog';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { paymastersQuery } from '../../api/of-account.ts';
import { contractsQuery, namedPoliciesQuery } from '../../api/of-paymaster.ts';
import { sessionQuery } from '../../api/session.ts';
import { Icon } from '../../parts/icon.tsx';
import { useCurrentPaymaster } from '../../parts/use-current-paymaster.ts';
import { findOnService, kindOf } from './find-on-service.ts';
import { type Act, type Goal, listGoals } from './list-goals.ts';

// Its forms are those of many pages.
const ActHere = lazy(async () => ({ default: (await import('./act-here.tsx')).ActHere }));

/** What the menu finds by name: of the current paymaster, and in the documentation. */
function useKnown(current: PaymasterItem | undefined) {
  const { data: contracts = [] } = useQuery({
    ...contractsQuery(current ?? nothing),
    enabled: current !== undefined,
  });
  const { data: policies = [] } = useQuery({
    ...namedPoliciesQuery(current ?? nothing),
    enabled: current !== undefined,
  });
  const { data: docs = [] } = useQuery(docsQuery);
  return { contracts, policies, docs };
}

/** Stands for no paymaster, in queries that are not asked. */
const nothing = { paymasterId: '', apiKey: '' } as PaymasterItem;

/** The pages of the documentation, from its index for language models. */
const docsQuery = {
  queryKey: ['docs'],
  staleTime: Number.POSITIVE_INFINITY,
  retry: false,
  queryFn: async () => {
    const index = await (await fetch('/llms.txt')).text();
    const lines = index.matchAll(/\[([^\]]+)\]\((\/docs[^)]*?)(?:\.md)?\)(?:: (.*))?/g);
    return [...lines].map(([, title = '', href = '', about = '']) => ({ title, href, about }));
  },
};

/** Navigation by typing: to what people do, a page, a contract, a policy, a paymaster, the documentation, or the object behind an address, a hash or a decision id. */
export function CommandMenu({ onClose }: { readonly onClose: () => void }) {
  const id = useId();
  const navigate = useNavigate();
  const current = useCurrentPaymaster();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const [act, setAct] = useState<Act>();
  const { data: paymasters = [] } = useQuery(paymastersQuery);
  const { data: session } = useQuery(sessionQuery);
  const asked = text.trim();
  const kind = kindOf(asked);
  const found = useQuery({
    queryKey: ['find', asked],
    enabled: kind !== undefined,
    queryFn: () => findOnService(asked, paymasters),
  });
  const known = useKnown(current);
  const goals =
    kind === undefined
      ? listGoals(asked, {
          ...known,
          current,
          paymasters,
          isOperator: session?.operator === true,
          mayManage: session?.scopes.includes('manage') === true,
        })
      : (found.data ?? []);
  const go = (index: number) => {
    const goal = goals[index];
    if (goal === undefined) return;
    if ('act' in goal.target) return setAct(goal.target.act);
    onClose();
    if ('href' in goal.target) window.open(goal.target.href, '_blank', 'noopener');
    else void navigate(goal.target);
  };
  useEffect(() => {
    document.getElementById(`${id} ${chosen}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, chosen]);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setChosen((chosen + step + goals.length) % Math.max(1, goals.length));
    }
    if (event.key === 'Enter') go(chosen);
  };
  if (act !== undefined) {
    return (
      <Suspense>
        <ActHere act={act} current={current} paymasters={paymasters} onClose={onClose} />
      </Suspense>
    );
  }
  return (
    <ModalOverlay className="overlay above" isDismissable isOpen onOpenChange={onClose}>
      <Modal className="command">
        <Dialog aria-label="Find">
          <div className="command-line">
            <Icon name="search" />
            <input
              autoFocus
              role="combobox"
              aria-label="Find or do"
              aria-expanded="true"
              aria-controls={id}
              aria-activedescendant={goals[chosen] === undefined ? undefined : `${id} ${chosen}`}
              placeholder="Pause, a contract, a hash, the docs"
              spellCheck={false}
              value={text}
              onKeyDown={onKeyDown}
              onChange={({ target }) => {
                setText(target.value);
                setChosen(0);
              }}
            />
            <kbd className="not-on-phones">Esc</kbd>
          </div>
          <Results id={id} goals={goals} chosen={chosen} current={current} onGo={go} onPoint={setChosen} />
          <p role="status" className="menu-title">
            {found.isFetching ? 'Looking for it …' : goals.length === 0 ? 'Nothing found.' : ''}
          </p>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

type ResultsProps = {
  readonly id: string;
  readonly goals: readonly Goal[];
  /** Index of the goal that Enter goes to. */
  readonly chosen: number;
  readonly current: PaymasterItem | undefined;
  readonly onGo: (index: number) => void;
  readonly onPoint: (index: number) => void;
};

/** What was found, in groups. */
function Results({ id, goals, chosen, current, onGo, onPoint }: ResultsProps) {
  return (
    <div id={id} role="listbox" aria-label="Results" className="command-list">
      {goals.map((goal, index) => (
        <Fragment key={goal.key}>
          {goal.group === goals[index - 1]?.group ? null : (
            <div role="presentation" className="menu-title">
              {goal.group === 'Do' && current !== undefined ? `Do, on ${current.name}` : goal.group}
            </div>
          )}
          {/* biome-ignore lint/a11y/useKeyWithClickEvents: the keys are read by the field, which keeps the focus */}
          <div
            id={`${id} ${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            className="menu-item"
            onClick={() => onGo(index)}
            onPointerMove={() => onPoint(index)}
          >
            <Icon name={goal.icon} />
            <span>{goal.text}</span>
            <span className="small muted">{goal.note}</span>
          </div>
        </Fragment>
      ))}
    </div>
  );
}
