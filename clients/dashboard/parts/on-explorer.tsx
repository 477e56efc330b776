import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { chainsQuery } from '../api/of-account.ts';
import { usePaymaster } from '../api/use-paymaster.ts';
import { CopyButton } from './button.tsx';

type OnExplorerProps = {
  /** A transaction or an address of the paymaster's chain. */
  readonly kind: 'tx' | 'address';
  readonly hex: string;
  readonly children: ReactNode;
};

/** Links to a block explorer's page, if the operator has configured an explorer; else plain text. */
export function OnExplorer({ kind, hex, children }: OnExplorerProps) {
  const { chainId } = usePaymaster();
  const { data = [] } = useQuery(chainsQuery);
  const url = data.find((chain) => chain.chainId === chainId)?.explorerPageUrl;
  if (url === undefined) return children;
  return (
    <a href={`${url.replace(/\/+$/, '')}/${kind}/${hex}`} target="_blank" rel="noreferrer">
      {children}
    </a>
  );
}

type ExplorerValueProps = { readonly kind: 'tx' | 'address'; readonly hex: string; readonly what: string };

/** A transaction or address in full, with its page on the explorer and a button that copies it. */
export function ExplorerValue({ kind, hex, what }: ExplorerValueProps) {
  return (
    <span className="value">
      <OnExplorer kind={kind} hex={hex}>
        <code className="hex">{hex}</code>
      </OnExplorer>
      <CopyButton text={hex} what={what} />
    </span>
  );
}
