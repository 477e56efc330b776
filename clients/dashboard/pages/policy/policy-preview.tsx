import { maxPreview } from '@tollfree/contract/limits';
import type { PolicyPreviewItem } from '@tollfree/contract/policy';
import { DataTable } from '../../parts/data-table.tsx';
import { counted } from '../../parts/text/counted.ts';
import { Short } from '../../parts/value.tsx';
import { ChangedDecisions } from './changed-decisions.tsx';
import { RuleTitle, Suggestions, type SuggestionsProps } from './suggestions.tsx';
import { previewDays } from './use-preview.ts';

type PolicyPreviewProps = {
  /** Undefined while it is worked out. */
  readonly preview: PolicyPreviewItem | undefined;
  /** It is of an earlier draft, while a new one is worked out. */
  readonly isOld: boolean;
  /** Why there is none, such as a rule that is not finished. */
  readonly error: Error | null;
} & SuggestionsProps;

/** What a proposed policy would have decided differently last week: one number, and why. */
export function PolicyPreview({ preview, isOld, error, ...suggestions }: PolicyPreviewProps) {
  const refused = preview?.cutOff.length ?? 0;
  const kind = preview === undefined || preview.replayed === 0 ? '' : refused === 0 ? 'good' : 'bad';
  return (
    <section
      id="preview"
      className={`card flush verdict ${kind} ${isOld ? 'old' : ''}`}
      aria-label="Preview"
      aria-busy={isOld}
    >
      <div role="status">
        <h2 className="small">If you saved now</h2>
        <Verdict preview={preview} error={error} />
      </div>
      <div className="stack">
        {preview === undefined ? null : <Reasons preview={preview} suggestions={suggestions} />}
      </div>
    </section>
  );
}

function Verdict({ preview, error }: Pick<PolicyPreviewProps, 'preview' | 'error'>) {
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
        <p className="muted">Trying it on the requests of last week …</p>
      </>
    );
  }
  const { replayed, cutOff, letIn, senders, replayedSenders } = preview;
  if (replayed === 0) {
    return (
      <>
        <p className="hero">–</p>
        <p>
          <strong>Nothing to try it on:</strong> no requests in the last {previewDays} days. The policy works
          nevertheless.
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
        <strong>
          {replayed < maxPreview ? 'operations of last week' : `of the last ${counted(maxPreview, 'operation')}`} would
          be refused
        </strong>
      </p>
      <p className="small">
        {letIn.length === 0
          ? 'Nothing that was refused would be sponsored.'
          : `${letIn.length} that ${letIn.length === 1 ? 'was' : 'were'} refused would be sponsored.`}
      </p>
      {senders.length === 0 ? null : (
        <p className="small">
          <strong>
            {senders.length} of {counted(replayedSenders, 'user')}
          </strong>{' '}
          would notice.
        </p>
      )}
    </>
  );
}

type ReasonsProps = { readonly preview: PolicyPreviewItem; readonly suggestions: SuggestionsProps };

/** The rules that would refuse, each with its number and what to change, and the requests. */
function Reasons({ preview, suggestions }: ReasonsProps) {
  const { replayed, cutOff, letIn, unpriced, unread, rules, methodGas = [] } = preview;
  return (
    <>
      {rules.map((rule) => (
        <div key={rule.field ?? rule.rule} className="bar-cell">
          <div className="row">
            <strong>
              <RuleTitle rule={rule} proposed={suggestions.proposed} />
            </strong>
            <span>{rule.cutOff} refused</span>
          </div>
          <div className="bar-track thick" aria-hidden="true">
            <span className="bar-fill bad" style={{ width: `${(rule.cutOff / replayed) * 100}%` }} />
          </div>
          <Suggestions {...suggestions} rule={rule} />
        </div>
      ))}
      <UsedGas rows={methodGas} />
      <ChangedDecisions title="Would be refused" rows={cutOff} />
      <ChangedDecisions title="Would be sponsored" rows={letIn} />
      {cutOff.length + letIn.length === 0 && replayed > 0 ? (
        <p className="muted">All {counted(replayed, 'request')} of last week would be decided as they were.</p>
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
