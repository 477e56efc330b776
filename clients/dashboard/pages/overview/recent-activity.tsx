import { Link } from '@tanstack/react-router';
import type { OverviewDecision } from '@tollfree/contract/overview';
import type { PaymasterItem } from '@tollfree/contract/paymaster';
import { lazy, Suspense, useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/loaded.tsx';
import { Age } from '../../parts/moment.tsx';
import { NewPill } from '../../parts/new-pill.tsx';
import { reasonText } from '../../parts/text/chain-name.ts';
import { lastPrice } from '../../parts/usd.tsx';
import { Short, shortHex } from '../../parts/value.tsx';
import { foldOperations, type Operation, operationKey } from '../activity/fold-operations.ts';
import { OperationCost, StatusBadge } from '../activity/operation-cells.tsx';
import type { PaymasterOverview } from './use-overview.ts';

const most = 10;

// Reading ABIs takes a library that the first screen does without.
const CallName = lazy(async () => ({ default: (await import('../../abi/call-name.tsx')).CallName }));

const FixRefusal = lazy(async () => ({ default: (await import('./fix-refusal.tsx')).FixRefusal }));

type Recent = {
  readonly key: string;
  readonly paymaster: PaymasterItem;
  readonly operation: Operation<OverviewDecision>;
  /** Usual price of the coin, in millionths of a USD. */
  readonly usual: string | undefined;
};

/** The newest operations of all paymasters. */
function listRecent(rows: readonly PaymasterOverview[]): readonly Recent[] {
  return rows
    .flatMap(({ paymaster, recent, days }) =>
      foldOperations(recent).map((operation) => ({
        key: `${paymaster.paymasterId} ${operationKey(operation.decision)}`,
        paymaster,
        operation,
        usual: lastPrice(days),
      })),
    )
    .sort((one, other) => other.operation.decision.decidedAt - one.operation.decision.decidedAt)
    .slice(0, most);
}

/** Keeps what is shown in its order and brings it up to date; what is new waits until it is asked for. */
function useStill(latest: readonly Recent[]) {
  const [kept, setKept] = useState(latest);
  const byKey = new Map(latest.map((each) => [each.key, each]));
  const updated = kept.map((each) => byKey.get(each.key) ?? each);
  const shown = kept.length === 0 ? latest : updated;
  if (shown.some((each, index) => each.operation.decision !== kept[index]?.operation.decision)) setKept(shown);
  const keys = new Set(shown.map(({ key }) => key));
  const count = latest.filter(({ key }) => !keys.has(key)).length;
  return { shown, count, showAll: () => setKept(latest) };
}

/** The newest operations of all paymasters. Rows stand still: new ones gather in a pill. */
export function RecentActivity({ rows }: { readonly rows: readonly PaymasterOverview[] }) {
  const { shown, count, showAll } = useStill(listRecent(rows));
  return (
    <Card title="Recent activity" actions={<NewPill text={`${count} new`} isShown={count > 0} onPress={showAll} />}>
      {shown.length === 0 ? (
        <Empty title="No requests yet.">Put the RPC URL of a paymaster into your application.</Empty>
      ) : (
        <DataTable
          caption="Recent activity"
          layout="whole-rows"
          rows={shown}
          keyOf={({ key }) => key}
          columns={[
            {
              title: 'Call',
              share: 46,
              cell: ({ paymaster, operation: { decision } }) => <CallCell paymaster={paymaster} decision={decision} />,
            },
            {
              title: 'Status',
              share: 20,
              cell: ({ paymaster, operation: { decision, status } }) => (
                <>
                  <StatusBadge status={status} />
                  {status === 'refused' ? <FixButton paymaster={paymaster} decision={decision} /> : null}
                </>
              ),
            },
            {
              title: 'Cost',
              share: 20,
              isNumber: true,
              cell: ({ paymaster, usual, operation: { decision } }) => (
                <OperationCost
                  settlement={decision.settlement}
                  price={decision.usdMicrosPerCoin ?? usual}
                  chainId={paymaster.chainId}
                />
              ),
            },
            {
              title: 'Age',
              share: 14,
              isNumber: true,
              cell: ({ operation: { decision } }) => (
                <span className="muted">
                  <Age at={decision.decidedAt} />
                </span>
              ),
            },
          ]}
        />
      )}
    </Card>
  );
}

type Row = { readonly paymaster: PaymasterItem; readonly decision: OverviewDecision };

function CallCell({ paymaster, decision }: Row) {
  const { decisionId, reason, sender } = decision;
  return (
    <>
      <Link
        to="/paymasters/$paymasterId/activity/$decisionId"
        params={{ paymasterId: paymaster.paymasterId, decisionId }}
        className="row-link"
      >
        <CallText paymaster={paymaster} decision={decision} />
      </Link>
      <span className="under">
        {paymaster.name} · {reason === undefined ? null : reasonText(reason)}
        {reason === undefined && sender !== undefined ? <Short hex={sender} /> : null}
      </span>
    </>
  );
}

/** Opens what fixes a refusal, next to its row. */
function FixButton({ paymaster, decision: { decisionId } }: Row) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button kind="small" onPress={() => setOpen(true)}>
        Fix
      </Button>
      <Suspense>
        {isOpen ? <FixRefusal paymaster={paymaster} decisionId={decisionId} onClose={() => setOpen(false)} /> : null}
      </Suspense>
    </>
  );
}

/** Contract and method of an operation's first call. */
function CallText({ paymaster, decision: { firstCall, mode } }: Row) {
  if (firstCall === undefined) return mode === 'ERC20' ? 'Payment in a token' : 'Account deployment';
  return (
    <Suspense fallback={shortHex(firstCall.target)}>
      <CallName paymaster={paymaster} call={firstCall} />
    </Suspense>
  );
}
