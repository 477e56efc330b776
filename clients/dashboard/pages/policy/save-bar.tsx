import type { ReactNode } from 'react';
import { Button } from '../../parts/button.tsx';
import { ChangedSentences } from './changed-sentences.tsx';

type SaveBarProps = {
  readonly title: string;
  /** It is kept until it is saved or discarded, also when the page is left. */
  readonly isKept: boolean;
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** Requests that the changes would refuse, of those that were tried; undefined while it is not known. */
  readonly verdict: { readonly refused: number; readonly tried: number } | undefined;
  readonly isSaving: boolean;
  readonly onSave: () => void;
  readonly onDiscard: () => void;
  /** What needs attention before it is saved. */
  readonly children: ReactNode;
};

/** What would be saved, and the buttons that save and discard it. It stays in sight. */
export function SaveBar({
  title,
  isKept,
  before,
  after,
  verdict,
  isSaving,
  onSave,
  onDiscard,
  children,
}: SaveBarProps) {
  const refusesMost = verdict !== undefined && verdict.refused > verdict.tried / 2;
  return (
    <section className="save-bar" aria-label="Your changes">
      <div className="what">
        <p>
          <strong>{title}, not saved yet</strong>
          {isKept ? <span className="small muted"> · kept in this tab</span> : null}
        </p>
        {children}
        <ChangedSentences before={before} after={after} />
      </div>
      {verdict === undefined || verdict.tried === 0 ? null : (
        <a href="#preview" className={`badge ${verdict.refused === 0 ? 'good' : 'bad'}`}>
          {verdict.refused} of {verdict.tried} refused
        </a>
      )}
      <Button onPress={onDiscard}>Discard</Button>
      <Button kind="primary" needs={['manage']} isPending={isSaving} onPress={onSave}>
        {refusesMost ? 'Save anyway' : 'Save policy'}
      </Button>
    </section>
  );
}
