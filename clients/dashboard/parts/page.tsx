import { type ReactNode, useContext, useEffect } from 'react';
import { PaymasterContext } from '../api/use-paymaster.ts';
import { NetworkDot } from './badge.tsx';
import { DocLink } from './doc-link.tsx';
import type { DocLinkName } from './doc-links.ts';
import { chainLabel } from './text/chain-name.ts';
import { setTitle } from './window-title.ts';

type PageProps = {
  readonly title: string;
  /** The purpose of the page, in a sentence. */
  readonly lead?: ReactNode;
  /** What the documents say of it. */
  readonly doc?: DocLinkName;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
};

/** A page with its heading, which is also the window title, after the paymaster's name. */
export function Page({ title, lead, doc, actions, children }: PageProps) {
  const paymaster = useContext(PaymasterContext);
  const name = paymaster?.name;
  useEffect(() => {
    setTitle([title, ...(name === undefined ? [] : [name]), 'Tollfree'].join(' · '));
  }, [title, name]);
  return (
    <div className="page">
      <header className="page-head">
        <div>
          {paymaster === undefined ? null : (
            <p className="eyebrow">
              <NetworkDot chainId={paymaster.chainId} />
              {paymaster.name} · {chainLabel(paymaster.chainId)}
            </p>
          )}
          <h1>{title}</h1>
          {lead === undefined ? null : (
            <p className="lead">
              {lead} {doc === undefined ? null : <DocLink to={doc} />}
            </p>
          )}
        </div>
        {actions === undefined ? null : <div className="actions">{actions}</div>}
      </header>
      {children}
    </div>
  );
}
