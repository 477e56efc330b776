import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import type { PaymasterItem } from '@tollfree/contract/paymaster';
import { type ComponentType, useEffect, useState } from 'react';
import { gasTankQuery } from '../../api/of-paymaster.ts';
import { PaymasterContext, usePaymaster } from '../../api/use-paymaster.ts';
import { AuthTokenForm } from '../../pages/account/auth-token-form.tsx';
import { ApiKeyForm } from '../../pages/api-keys/api-key-form.tsx';
import { DepositForm } from '../../pages/gas-tank/deposit-form.tsx';
import { Withdrawal } from '../../pages/gas-tank/withdrawal.tsx';
import { MemberForm } from '../../pages/members/member-form.tsx';
import { ConfirmPause, ConfirmPauseAll, runningOf, useSetPaused } from '../../pages/paymasters/pause-all.tsx';
import { PaymasterForm } from '../../pages/paymasters/paymaster-form.tsx';
import { WebhookForm } from '../../pages/webhooks/webhook-form.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Notice } from '../../parts/problem.tsx';
import { toast } from '../../parts/toast.tsx';
import type { Act } from './list-goals.ts';

type FormProps = { readonly onDone: () => void };
type PanelOf = { readonly title: string; readonly Form: ComponentType<FormProps> };

/** What is done in a panel. All else is asked first. */
const panels: Readonly<Record<Exclude<Act, 'pause' | 'resume' | 'pauseAll'>, PanelOf>> = {
  deposit: { title: 'Deposit into the tank', Form: Deposit },
  withdraw: { title: 'Withdraw from the tank', Form: Withdraw },
  invite: { title: 'Invite a wallet', Form: MemberForm },
  apiKey: { title: 'New API key', Form: ApiKeyForm },
  authToken: { title: 'New authToken', Form: AuthTokenForm },
  paymaster: { title: 'New paymaster', Form: PaymasterForm },
  webhook: { title: 'New webhook', Form: WebhookForm },
};

type ActHereProps = {
  readonly act: Act;
  readonly current: PaymasterItem | undefined;
  readonly paymasters: readonly PaymasterItem[];
  readonly onClose: () => void;
};

/** Does what was chosen on whatever page one is: in a panel, or after a question. */
export function ActHere({ act, current, paymasters, onClose }: ActHereProps) {
  const { pathname } = useLocation();
  const [openedOn] = useState(pathname);
  // A form may lead to a page.
  useEffect(() => {
    if (pathname !== openedOn) onClose();
  }, [pathname, openedOn, onClose]);
  if (act === 'pause' || act === 'resume' || act === 'pauseAll') {
    return <Pausing act={act} current={current} paymasters={paymasters} onClose={onClose} />;
  }
  const { title, Form } = panels[act];
  return (
    <PaymasterContext.Provider value={current}>
      <Panel title={current === undefined ? title : `${title} · ${current.name}`} isOpen onClose={onClose}>
        {(close) => <Form onDone={close} />}
      </Panel>
    </PaymasterContext.Provider>
  );
}

function Pausing({ act, current, paymasters, onClose }: ActHereProps) {
  const setPaused = useSetPaused();
  const running = runningOf(paymasters);
  const chosen = act === 'pauseAll' ? running : current === undefined ? [] : [current];
  const paused = act !== 'resume';
  // The question is gone when the answer comes.
  const onConfirm = () =>
    void setPaused.mutateAsync({ paymasters: chosen, paused }).then(
      () => toast(`${chosen.map(({ name }) => name).join(', ')}: ${paused ? 'paused' : 'resumed'}.`),
      (error: Error) => toast(error.message),
    );
  const ask = { isOpen: true, onClose, onConfirm };
  if (act === 'pauseAll') return <ConfirmPauseAll count={running.length} {...ask} />;
  const name = current?.name ?? '';
  if (act === 'pause') return <ConfirmPause name={name} {...ask} />;
  return (
    <Confirm title={`Resume “${name}”?`} confirm="Resume paymaster" {...ask}>
      It answers requests and spends from its gas tank again, by the same rules as before.
    </Confirm>
  );
}

function Deposit() {
  const paymaster = usePaymaster();
  const [before, setBefore] = useState<string>();
  const query = useQuery({ ...gasTankQuery(paymaster), ...(before === undefined ? {} : { refetchInterval: 2_000 }) });
  return (
    <Loaded query={query}>
      {(tank) =>
        tank.filling === undefined ? (
          <Notice>Set the funding wallet on the page Gas tank first: only what it sends fills the tank.</Notice>
        ) : (
          <DepositForm
            tank={tank}
            filling={tank.filling}
            hasArrived={before !== undefined && tank.funded !== before}
            onSent={() => setBefore(tank.funded)}
          />
        )
      }
    </Loaded>
  );
}

function Withdraw() {
  const query = useQuery(gasTankQuery(usePaymaster()));
  return <Loaded query={query}>{(tank) => <Withdrawal tank={tank} />}</Loaded>;
}
