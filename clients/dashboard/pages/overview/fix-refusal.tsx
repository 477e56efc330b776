import { useQuery } from '@tanstack/react-query';
import type { PaymasterItem } from '@tollfree/contract/paymaster';
import { decisionQuery } from '../../api/of-paymaster.ts';
import { PaymasterContext } from '../../api/use-paymaster.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Refusal } from '../activity/refusal.tsx';

type FixRefusalProps = {
  readonly paymaster: PaymasterItem;
  readonly decisionId: string;
  readonly onClose: () => void;
};

/** Why an operation was refused, with what fixes it. */
export function FixRefusal({ paymaster, decisionId, onClose }: FixRefusalProps) {
  const query = useQuery(decisionQuery(paymaster, decisionId));
  return (
    <PaymasterContext.Provider value={paymaster}>
      <Panel title="Refused because" lead={paymaster.name} isOpen onClose={onClose}>
        {() => <Loaded query={query}>{(decision) => <Refusal decision={decision} />}</Loaded>}
      </Panel>
    </PaymasterContext.Provider>
  );
}
