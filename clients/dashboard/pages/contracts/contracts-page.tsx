import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { contractsQuery } from '../../api/of-paymaster.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { Card } from '../../parts/card.tsx';
import { Empty, Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { PanelButton } from '../../parts/panel-button.tsx';
import { ChangeNotes, type NotedChange } from './change-notes.tsx';
import { ContractForm } from './contract-form.tsx';
import { ContractItem } from './contract-item.tsx';

/** The contracts whose calls the paymaster sponsors. */
export function ContractsPage() {
  const paymaster = usePaymaster();
  const [noted, setNoted] = useState<NotedChange>({});
  const contracts = useQuery(contractsQuery(paymaster));
  return (
    <Page
      title="Contracts"
      lead="Only calls to these methods are sponsored. Every call of an operation must be one of them."
      doc="contracts"
      actions={
        <PanelButton text="Register a contract" kind="primary" needs={['manage']} title="Register a contract">
          {(close) => <ContractForm address="" onChanged={setNoted} onDone={close} />}
        </PanelButton>
      }
    >
      <ChangeNotes {...noted} />
      <Card title="Registered contracts">
        <Loaded query={contracts}>
          {(list) =>
            list.length === 0 ? (
              <Empty title="No contracts yet, so every operation is refused.">
                Register a contract and choose its methods.
              </Empty>
            ) : (
              <ul className="list">
                {list.map((contract) => (
                  <li key={contract.address}>
                    <ContractItem contract={contract} onChanged={setNoted} />
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      </Card>
    </Page>
  );
}
