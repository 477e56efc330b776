import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { UsageItem } from '@tollfree/contract/usage';
import { useCallNames } from '../../abi/use-call-names.ts';
import { contractsQuery, policyQuery, usageQuery } from '../../api/of-paymaster.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { Card } from '../../parts/card.tsx';
import { CostBar } from '../../parts/cost-bar.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { locale } from '../../parts/text/moment-text.ts';
import { percentText, splitCost } from '../../parts/text/split-cost.ts';
import { usdText } from '../../parts/text/usd-text.ts';
import { Coin } from '../../parts/usd.tsx';
import { shortHex } from '../../parts/value.tsx';
import type { Days } from '../../time/time-range.ts';

const names: Readonly<Record<string, string>> = { paymaster: 'Paymaster contract', relay: 'Relay' };

/** Operations paid by a paymaster contract, compared with relayed ones. Hidden if none was relayed. */
export function WaysCard({ days }: { readonly days: Days }) {
  const { data = [] } = useQuery(usageQuery(usePaymaster(), { by: 'via', ...days }));
  const [contract, relay] = ['paymaster', 'relay'].map((via) => data.find(({ key }) => key === via));
  if (relay === undefined || relay.landed === 0) return null;
  return <Ways days={days} contract={contract} relay={relay} />;
}

type WaysProps = {
  readonly days: Days;
  readonly contract: UsageItem | undefined;
  readonly relay: UsageItem;
};

/** Shown once everything in it is read, so that nothing in it moves. */
function Ways({ days, contract, relay }: WaysProps) {
  const paymaster = usePaymaster();
  const nameOf = useCallNames();
  const methods = useQuery(usageQuery(paymaster, { by: 'method', ...days }));
  const relayed = useQuery(usageQuery(paymaster, { by: 'relayedMethod', ...days }));
  const policy = useQuery(policyQuery(paymaster));
  // For the names of methods.
  const contracts = useQuery(contractsQuery(paymaster));
  if ([methods, relayed, policy, contracts].some(({ isPending }) => isPending)) return null;
  const all = relay.landed + (contract?.landed ?? 0);
  const highest = Math.max(...[contract, relay].map((row) => Number(row?.chargeUsd ?? 0)));
  const both = compareWays(methods.data ?? [], relayed.data ?? []);
  const isCheaper = both !== undefined && both.byRelay < both.byContract;
  return (
    <Card
      title="Paymaster contract and relay"
      lead={
        both === undefined
          ? 'Relayed operations pay no fee to a paymaster contract.'
          : comparisonText(methodText(both.method, nameOf), both)
      }
      actions={
        isCheaper && policy.data?.relay === 'NEVER' ? (
          <Link to="/paymasters/$paymasterId/policy" params={{ paymasterId: paymaster.paymasterId }} className="button">
            Relay where possible
          </Link>
        ) : undefined
      }
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
function usdPerOperation({
  chargeUsd,
  landed,
  unpriced,
}: Pick<UsageItem, 'chargeUsd' | 'landed' | 'unpriced'>): number | undefined {
  return landed === unpriced ? undefined : Number(chargeUsd) / (landed - unpriced);
}

/** The key of a method, and what an operation of it costs each way, in USD. */
type Comparison = { readonly method: string; readonly byContract: number; readonly byRelay: number };

/** Of the methods whose operations landed both ways, with a price, the one that cost most. */
function compareWays(methods: readonly UsageItem[], relayed: readonly UsageItem[]): Comparison | undefined {
  const parts = new Map(relayed.map((row) => [row.key, row]));
  for (const row of methods.toSorted((one, other) => Number(other.chargeUsd) - Number(one.chargeUsd))) {
    const part = parts.get(row.key);
    if (part === undefined || !row.key.includes(':')) continue;
    const byContract = usdPerOperation({
      chargeUsd: String(Number(row.chargeUsd) - Number(part.chargeUsd)),
      landed: row.landed - part.landed,
      unpriced: row.unpriced - part.unpriced,
    });
    const byRelay = usdPerOperation(part);
    if (byContract !== undefined && byRelay !== undefined) return { method: row.key, byContract, byRelay };
  }
  return undefined;
}

function comparisonText(method: string, { byContract, byRelay }: Comparison): string {
  const [relayUsd, contractUsd] = [byRelay, byContract].map((usd) => usdText(usd.toFixed(6)));
  if (relayUsd === contractUsd) return `A relayed operation of ${method} costs as much as another: ${relayUsd}.`;
  const less = byContract === 0 ? 0 : 1 - byRelay / byContract;
  const change = less === 0 ? 'more' : `${percentText(Math.abs(less), 1)} ${less > 0 ? 'less' : 'more'}`;
  return `A relayed operation of ${method} costs ${change}: ${relayUsd} instead of ${contractUsd}.`;
}

/** The name of the method of a key, or its contract and selector. */
function methodText(key: string, nameOf: ReturnType<typeof useCallNames>): string {
  const [target = '', selector] = key.split(':');
  return (
    nameOf({ target, selector: selector === '0x' ? undefined : selector }).method ??
    `${selector} at ${shortHex(target)}`
  );
}
