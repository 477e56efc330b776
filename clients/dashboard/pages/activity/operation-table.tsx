import { Link } from '@tanstack/react-router';
import type { DecisionItem } from '@tollfree/contract/decision-fields';
import { useCallNames } from '../../abi/use-call-names.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { Badge } from '../../parts/badge.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Placeholder } from '../../parts/loaded.tsx';
import { Age } from '../../parts/moment.tsx';
import { OnExplorer } from '../../parts/on-explorer.tsx';
import { reasonText } from '../../parts/text/chain-name.ts';
import { counted } from '../../parts/text/counted.ts';
import { usePrice } from '../../parts/usd.tsx';
import { Short } from '../../parts/value.tsx';
import { isRelayed, type Operation } from './fold-operations.ts';
import { OperationCost, StatusBadge } from './operation-cells.tsx';

/** Operations, each linked to its requests and their reasons. */
export function OperationTable({ operations }: { readonly operations: readonly Operation[] }) {
  const paymaster = usePaymaster();
  const { paymasterId, chainId } = paymaster;
  const usual = usePrice(paymaster);
  return (
    <DataTable
      caption="Operations"
      layout="whole-rows"
      rows={operations}
      keyOf={({ requests }) => requests.at(-1)?.decisionId ?? ''}
      columns={[
        {
          title: 'Status',
          share: 18,
          cell: ({ status, decision, requests }) => (
            <div>
              <StatusBadge status={status} /> {isRelayed(decision) ? <Badge>Relay</Badge> : null}
              <span className="under">
                {status === 'refused' && decision.reason !== undefined ? reasonText(decision.reason) : null}
                {status !== 'refused' && requests.length > 1 ? counted(requests.length, 'request') : null}
              </span>
            </div>
          ),
        },
        {
          title: 'Call',
          share: 22,
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
          share: 16,
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
          share: 17,
          cell: ({ decision: { settlement, facts } }) => (
            <OperationCost settlement={settlement} price={facts?.usdMicrosPerCoin ?? usual} chainId={chainId} />
          ),
        },
        {
          title: 'Transaction',
          share: 16,
          cell: ({ decision: { settlement } }) =>
            settlement?.txHash === undefined ? (
              <span className="muted">–</span>
            ) : (
              <Transaction hash={settlement.txHash} />
            ),
        },
        { title: 'Age', isNumber: true, share: 11, cell: ({ decision }) => <Age at={decision.decidedAt} /> },
      ]}
    />
  );
}

const sampleRows = 12;
/** Stands for the decisions that are being read. */
const sample: DecisionItem = {
  decisionId: '',
  decidedAt: 0,
  method: '',
  chainId: 1,
  outcome: 'signed',
  status: 'included',
  sender: `0x${'0'.repeat(40)}`,
  settlement: { state: 'settled', held: '0', charge: '0', txHash: `0x${'0'.repeat(64)}` },
  facts: {
    calls: [{ target: `0x${'0'.repeat(40)}`, selector: '0x00000000' }],
    deploysOnly: false,
    maxFeePerGas: '0',
    usdMicrosPerCoin: '0',
  },
  trace: [],
};
const samples: readonly Operation[] = Array.from({ length: sampleRows }, (_, index) => {
  const decision = { ...sample, decisionId: String(index) };
  return { status: 'included', decision, requests: [decision] };
});

/** Rows as high as those that are being read. */
export function OperationPlaceholder() {
  return (
    <Placeholder>
      <OperationTable operations={samples} />
    </Placeholder>
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
    return mode === 'ERC20' ? 'Payment in a token' : 'Unreadable';
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
