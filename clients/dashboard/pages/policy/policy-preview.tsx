import type { PolicyPreviewItem } from '@tollfree/contract/policy';
import { useState } from 'react';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { Button } from '../../parts/button.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Moment } from '../../parts/moment.tsx';
import { withCoinName } from '../../parts/text/chain-name.ts';
import { counted } from '../../parts/text/counted.ts';
import { readableAmounts } from '../../parts/text/readable-amounts.ts';
import { ruleName } from '../../parts/text/rule-name.ts';
import { Short } from '../../parts/value.tsx';

type PolicyPreviewProps = {
  /** Undefined while it is worked out. */
  readonly preview: PolicyPreviewItem | undefined;
  /** Why there is none, such as a rule that is not finished. */
  readonly error: Error | null;
};

/** What a proposed policy would have decided differently: one number, and why. */
export function PolicyPreview({ preview, error }: PolicyPreviewProps) {
  const refused = preview?.cutOff.length ?? 0;
  const kind = preview === undefined || preview.replayed === 0 ? '' : refused === 0 ? 'good' : 'bad';
  return (
    <section className={`card flush verdict ${kind}`} aria-label="Preview">
      <div role="status">
        <p className="small">
          <strong>If you saved now</strong>
        </p>
        <Verdict preview={preview} error={error} />
      </div>
      <div className="stack">{preview === undefined ? null : <Reasons preview={preview} />}</div>
    </section>
  );
}

function Verdict({ preview, error }: PolicyPreviewProps) {
  if (error !== null) {
    return (
      <p>
        <strong>Not finished.</strong> {error.message}
      </p>
    );
  }
  if (preview === undefined) {
    return (
      <>
        <p className="hero">–</p>
        <p className="muted">Trying it on recent requests …</p>
      </>
    );
  }
  const { replayed, cutOff, letIn, senders } = preview;
  if (replayed === 0) {
    return (
      <>
        <p className="hero">–</p>
        <p>
          <strong>Nothing to try it on yet.</strong> The policy works nevertheless.
        </p>
      </>
    );
  }
  return (
    <>
      <p className="hero">
        {cutOff.length} <small>of {replayed}</small>
      </p>
      <p>
        <strong>recent requests would be refused</strong>
      </p>
      <p className="small">
        {letIn.length === 0
          ? 'Nothing that was refused would be sponsored.'
          : `${letIn.length} that ${letIn.length === 1 ? 'was' : 'were'} refused would be sponsored.`}
        {senders.length === 0 ? null : ` ${counted(senders.length, 'user')} would notice.`}
      </p>
    </>
  );
}

/** The rules that would refuse, each with its number, and the requests. */
function Reasons({ preview }: { readonly preview: PolicyPreviewItem }) {
  const { chainId } = usePaymaster();
  const { replayed, cutOff, letIn, unpriced, unread, methodGas = [] } = preview;
  const counts = new Map<string, number>();
  for (const { rule } of cutOff) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  return (
    <>
      {[...counts].map(([rule, count]) => (
        <div key={rule} className="bar-cell">
          <div className="row">
            <strong>{withCoinName(ruleName(rule), chainId)}</strong>
            <span>{count} refused</span>
          </div>
          <div className="bar-track thick" aria-hidden="true">
            <span className="bar-fill bad" style={{ width: `${(count / replayed) * 100}%` }} />
          </div>
        </div>
      ))}
      <UsedGas rows={methodGas} />
      <Changed title="Would be refused" rows={cutOff} />
      <Changed title="Would be sponsored" rows={letIn} />
      {cutOff.length + letIn.length === 0 && replayed > 0 ? (
        <p className="muted">The last {replayed} requests would be decided as they were.</p>
      ) : null}
      {unpriced === 0 ? null : (
        <p className="small muted">{unpriced} of them have no known value in USD; USD limits did not count for them.</p>
      )}
      {unread === 0 ? null : (
        <p className="small muted">
          The arguments of {unread} of them were not recorded; rules on arguments did not count for them.
        </p>
      )}
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
  const [isLong, setLong] = useState(false);
  if (rows.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <DataTable
        caption={title}
        rows={rows.slice(0, isLong ? 20 : 3)}
        keyOf={({ decisionId }) => decisionId}
        columns={[
          { title: 'When', cell: ({ decidedAt }) => <Moment at={decidedAt} /> },
          { title: 'Sender', cell: ({ sender }) => <Short hex={sender} /> },
          { title: 'Why', cell: ({ message }) => readableAmounts(message, '', chainId) },
        ]}
      />
      {rows.length > 3 && !isLong ? (
        <div>
          <Button kind="quiet" onPress={() => setLong(true)}>
            Show {rows.length > 20 ? 'the first 20' : `all ${rows.length}`}
          </Button>
        </div>
      ) : null}
    </>
  );
}
