import { Link } from '@tanstack/react-router';
import type { DecisionItem } from '@tollfree/contract/decision-fields';
import { type OperationStatus, operationStatusTexts } from '@tollfree/contract/operation-status';
import type { PaymasterItem } from '@tollfree/contract/paymaster';
import { useCallNames } from '../../abi/use-call-names.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { Badge } from '../../parts/badge.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Age } from '../../parts/moment.tsx';
import { OnExplorer } from '../../parts/on-explorer.tsx';
import { reasonText } from '../../parts/text/chain-name.ts';
import { usdOfWei, usdText } from '../../parts/text/usd-text.ts';
import { Coin, usePrice } from '../../parts/usd.tsx';
import { Short } from '../../parts/value.tsx';
import { isRelayed, type Operation } from './fold-operations.ts';

/** Operations, each linked to its requests and their reasons. */
export function OperationTable({ operations }: { readonly operations: readonly Operation[] }) {
  const paymaster = usePaymaster();
  const { paymasterId } = paymaster;
  return (
    <DataTable
      caption="Operations"
      wholeRows
      rows={operations}
      keyOf={({ requests }) => requests.at(-1)?.decisionId ?? ''}
      columns={[
        {
          title: 'Status',
          cell: ({ status, decision, requests }) => (
            <div>
              <StatusBadge status={status} /> {isRelayed(decision) ? <Badge>Relay</Badge> : null}
              <span className="under">
                {status === 'refused' && decision.reason !== undefined ? reasonText(decision.reason) : null}
                {status !== 'refused' && requests.length > 1 ? `${requests.length} requests` : null}
              </span>
            </div>
          ),
        },
        {
          title: 'Call',
          cell: ({ decision }) => (
            <Link
              to="/paymasters/$paymasterId/activity/$decisionId"
              params={{ paymasterId, decisionId: decision.decisionId }}
              className="row-link"
            >
              <CallText decision={decision} />
            </Link>
          ),
        },
        {
          title: 'Sender',
          cell: ({ decision: { sender } }) =>
            sender === undefined ? (
              '–'
            ) : (
              <OnExplorer kind="address" hex={sender}>
                <Short hex={sender} />
              </OnExplorer>
            ),
        },
        {
          title: 'Cost',
          isNumber: true,
          cell: ({ decision }) => <OperationCost decision={decision} paymaster={paymaster} />,
        },
        {
          title: 'Transaction',
          cell: ({ decision: { settlement } }) =>
            settlement?.txHash === undefined ? (
              <span className="muted">–</span>
            ) : (
              <Transaction hash={settlement.txHash} />
            ),
        },
        { title: 'Age', isNumber: true, cell: ({ decision }) => <Age at={decision.decidedAt} /> },
      ]}
    />
  );
}

function Transaction({ hash }: { readonly hash: string }) {
  return (
    <OnExplorer kind="tx" hex={hash}>
      <Short hex={hash} />
    </OnExplorer>
  );
}

/** The first call of an operation, with the names of its method and contract, and the number of further calls. */
function CallText({ decision: { facts, mode } }: { readonly decision: DecisionItem }) {
  const nameOf = useCallNames();
  const [first, ...others] = facts?.calls ?? [];
  if (first === undefined) {
    if (facts?.deploysOnly === true) return 'Account deployment';
    return mode === 'ERC20' ? 'Any calls, paid in a token' : 'Unreadable';
  }
  const { contract, method } = nameOf(first);
  return (
    <>
      {method ?? first.selector}
      {others.length === 0 ? null : <span className="muted"> +{others.length}</span>}
      <span className="under">{contract ?? <Short hex={first.target} />}</span>
    </>
  );
}

type OperationCostProps = { readonly decision: DecisionItem; readonly paymaster: PaymasterItem };

/** An operation's cost in USD and coin, or its maximum while it is open. */
export function OperationCost({ decision, paymaster }: OperationCostProps) {
  const { settlement, facts } = decision;
  const usual = usePrice(paymaster);
  if (settlement === undefined || settlement.state === 'released') return <span className="muted">–</span>;
  const wei = settlement.charge ?? settlement.held;
  const isMost = settlement.charge === undefined;
  const price = facts?.usdMicrosPerCoin ?? usual;
  return (
    <div className={isMost ? 'muted' : undefined} title={isMost ? 'The most it can cost' : undefined}>
      {price === undefined ? null : (
        <span className="coin">
          {isMost ? '≤ ' : ''}
          {usdText(usdOfWei(wei, price))}
        </span>
      )}
      <span className={price === undefined ? undefined : 'under'}>
        <Coin wei={wei} chainId={paymaster.chainId} />
      </span>
    </div>
  );
}

const kinds = {
  refused: 'bad',
  quoted: 'info',
  signed: 'accent',
  sent: 'accent',
  included: 'good',
  failed: 'warn',
  dropped: 'warn',
  replaced: 'info',
  expired: 'info',
  released: 'info',
} as const;

/** An operation's status as a badge. */
export function StatusBadge({ status }: { readonly status: OperationStatus }) {
  return <Badge kind={kinds[status]}>{operationStatusTexts[status].label}</Badge>;
}
