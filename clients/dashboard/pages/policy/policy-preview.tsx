import type { PolicyPreviewItem } from '@tollfree/contract/policy';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Notice } from '../../parts/problem.tsx';
import { readableAmounts } from '../../parts/text/readable-amounts.ts';
import { Short } from '../../parts/value.tsx';

/** Which of the last decisions a proposed policy would change. */
export function PolicyPreview({ preview }: { readonly preview: PolicyPreviewItem }) {
  const { replayed, cutOff, letIn, unpriced, unread, methodGas = [] } = preview;
  if (replayed === 0) return <Notice>There are no decisions yet to preview it on.</Notice>;
  const tried = `${replayed === 1 ? 'The last decision was' : `The last ${replayed} decisions were`} replayed.`;
  return (
    <>
      <Notice kind={cutOff.length > 0 ? 'warn' : 'good'}>
        <p>
          {tried} {cutOff.length} that {cutOff.length === 1 ? 'was' : 'were'} signed would be refused, {letIn.length}{' '}
          that {letIn.length === 1 ? 'was' : 'were'} refused would be sponsored.
        </p>
        {unpriced === 0 ? null : (
          <p>{unpriced} of them have no known value in USD; USD limits did not count for them.</p>
        )}
        {unread === 0 ? null : (
          <p>The arguments of {unread} of them were not recorded; rules on arguments did not count for them.</p>
        )}
      </Notice>
      <UsedGas rows={methodGas} />
      <Changed title="Would be refused" rows={cutOff} />
      <Changed title="Would be sponsored" rows={letIn} />
    </>
  );
}

/** The gas that operations needed which a cap of the policy binds, and a cap with some room. */
function UsedGas({ rows }: { readonly rows: Exclude<PolicyPreviewItem['methodGas'], undefined> }) {
  if (rows.length === 0) return null;
  return (
    <>
      <h3>Gas by method</h3>
      <DataTable
        caption="Gas by method"
        rows={rows}
        keyOf={({ contract, method = '' }) => `${contract} ${method}`}
        columns={[
          { title: 'Contract', cell: ({ contract }) => <Short hex={contract} /> },
          { title: 'Method', cell: ({ method = 'Every method' }) => method },
          { title: 'Operations', cell: ({ operations }) => operations },
          { title: 'Usual gas', cell: ({ usualCallGas = 'Not known yet' }) => usualCallGas },
          { title: 'Suggested maximum', cell: ({ suggestedMaxCallGas = 'Not known yet' }) => suggestedMaxCallGas },
        ]}
      />
    </>
  );
}

function Changed({ title, rows }: { readonly title: string; readonly rows: PolicyPreviewItem['cutOff'] }) {
  const { chainId } = usePaymaster();
  if (rows.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <DataTable
        caption={title}
        rows={rows.slice(0, 20)}
        keyOf={({ decisionId }) => decisionId}
        columns={[
          { title: 'When', cell: ({ decidedAt }) => <Moment at={decidedAt} /> },
          { title: 'Sender', cell: ({ sender }) => <Short hex={sender} /> },
          { title: 'Why', cell: ({ message }) => readableAmounts(message, '', chainId) },
        ]}
      />
      {rows.length > 20 ? <p className="muted">and {rows.length - 20} more</p> : null}
    </>
  );
}
