import { Link } from '@tanstack/react-router';
import type { DecisionItem } from '@tollfree/contract/decision-fields';
import { OnExplorer } from '../../explorer/on-explorer.tsx';
import { Coin } from '../../parts/coin.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Short } from '../../parts/short.tsx';
import { usePaymaster } from '../../shell/use-paymaster.ts';
import { OutcomeBadge } from './outcome-badge.tsx';

/** Answers, each leading to its reasons. */
export function DecisionTable({ decisions }: { readonly decisions: readonly DecisionItem[] }) {
  const { paymasterId } = usePaymaster();
  return (
    <DataTable
      caption="Answers"
      rows={decisions}
      keyOf={({ decisionId }) => decisionId}
      columns={[
        {
          title: 'When',
          cell: ({ decidedAt, decisionId }) => (
            <Link to="/paymasters/$paymasterId/activity/$decisionId" params={{ paymasterId, decisionId }}>
              <Moment at={decidedAt} />
            </Link>
          ),
        },
        { title: 'Answer', cell: ({ outcome }) => <OutcomeBadge outcome={outcome} /> },
        { title: 'Why', cell: (decision) => <Why decision={decision} /> },
        { title: 'Sender', cell: ({ sender }) => (sender === undefined ? '–' : <Sender address={sender} />) },
        { title: 'Cost', isNumber: true, cell: (decision) => <Cost decision={decision} /> },
      ]}
    />
  );
}

function Sender({ address }: { readonly address: string }) {
  return (
    <OnExplorer kind="address" hex={address}>
      <Short hex={address} />
    </OnExplorer>
  );
}

function Why({ decision: { outcome, message, reason, method } }: { readonly decision: DecisionItem }) {
  if (outcome !== 'refused') return <span className="muted">{method}</span>;
  return (
    <>
      {message}
      <div className="small muted">{reason}</div>
    </>
  );
}

function Cost({ decision: { settlement } }: { readonly decision: DecisionItem }) {
  if (settlement === undefined) return '–';
  if (settlement.charge !== undefined) return <Coin wei={settlement.charge} />;
  return <span className="muted">{settlement.state === 'released' ? 'released' : 'open'}</span>;
}
