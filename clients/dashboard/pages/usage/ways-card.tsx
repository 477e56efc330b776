import { useQuery } from '@tanstack/react-query';
import type { UsageItem } from '@tollfree/contract/usage';
import { usageQuery } from '../../api/of-paymaster.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { Card } from '../../parts/card.tsx';
import { CostBar } from '../../parts/cost-bar.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { locale } from '../../parts/text/moment-text.ts';
import { percentText, splitCost } from '../../parts/text/split-cost.ts';
import { usdText } from '../../parts/text/usd-text.ts';
import { Coin } from '../../parts/usd.tsx';
import type { Days } from '../../time/time-range.ts';

const names: Readonly<Record<string, string>> = { paymaster: 'Paymaster contract', relay: 'Relay' };

/** Operations paid by a paymaster contract, compared with relayed ones. Hidden if none was relayed. */
export function WaysCard({ days }: { readonly days: Days }) {
  const { data = [] } = useQuery(usageQuery(usePaymaster(), { by: 'via', ...days }));
  const [contract, relay] = ['paymaster', 'relay'].map((via) => data.find(({ key }) => key === via));
  if (relay === undefined || relay.landed === 0) return null;
  const all = relay.landed + (contract?.landed ?? 0);
  const highest = Math.max(...[contract, relay].map((row) => Number(row?.chargeUsd ?? 0)));
  const saving = contract === undefined ? undefined : savingOf(contract, relay);
  return (
    <Card
      title="Paymaster contract and relay"
      lead={saving ?? 'Relayed operations pay no fee to a paymaster contract.'}
    >
      <DataTable
        caption="Paymaster contract and relay"
        rows={[contract, relay].filter((row) => row !== undefined)}
        keyOf={({ key }) => key}
        layout="bars"
        columns={[
          { title: 'Way', share: 26, cell: ({ key }) => names[key] ?? key },
          {
            title: 'Cost',
            share: 36,
            cell: (row) => <CostBar cost={splitCost(row)} highest={highest} unpriced={row.unpriced} />,
          },
          { title: 'Share', share: 12, isNumber: true, cell: ({ landed }) => percentText(landed, all) },
          { title: 'Operations', share: 12, isNumber: true, cell: ({ landed }) => landed.toLocaleString(locale) },
          {
            title: 'Each',
            share: 14,
            isNumber: true,
            cell: (row) => (
              <div>
                {usdPerOperation(row) === undefined ? '–' : usdText((usdPerOperation(row) ?? 0).toFixed(6))}
                {row.landed === 0 ? null : (
                  <span className="under">
                    <Coin wei={weiPerOperation(row).toString()} />
                  </span>
                )}
              </div>
            ),
          },
        ]}
      />
    </Card>
  );
}

function weiPerOperation({ charge, landed }: UsageItem): bigint {
  return landed === 0 ? 0n : BigInt(charge) / BigInt(landed);
}

/** Only operations with a known price. */
function usdPerOperation({ chargeUsd, landed, unpriced }: UsageItem): number | undefined {
  return landed === unpriced ? undefined : Number(chargeUsd) / (landed - unpriced);
}

/** How much less a relayed operation costs than one paid by the contract. The operations may differ. */
function savingOf(contract: UsageItem, relay: UsageItem): string | undefined {
  if (contract.landed === 0) return undefined;
  const [byContract, byRelay] = [weiPerOperation(contract), weiPerOperation(relay)];
  if (byContract === 0n) return undefined;
  const percent = Number(((byContract - byRelay) * 1_000n) / byContract) / 10;
  const [contractUsd, relayUsd] = [usdPerOperation(contract), usdPerOperation(relay)];
  const saved =
    contractUsd === undefined || relayUsd === undefined
      ? 0
      : (contractUsd - relayUsd) * (relay.landed - relay.unpriced);
  if (percent <= 0) return `A relayed operation costs ${-percent}% more on average. The operations may differ.`;
  const usd = saved > 0 ? `, ${usdText(saved.toFixed(6))} in all` : '';
  return `A relayed operation costs ${percent}% less on average${usd}. The operations may differ.`;
}
