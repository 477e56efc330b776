import { CopyButton } from '../parts/copy-button.tsx';
import { OnExplorer } from './on-explorer.tsx';

type ExplorerValueProps = { readonly kind: 'tx' | 'address'; readonly hex: string; readonly what: string };

/** A transaction or address in full, with its page on the explorer and a button that copies it. */
export function ExplorerValue({ kind, hex, what }: ExplorerValueProps) {
  return (
    <span className="value">
      <OnExplorer kind={kind} hex={hex}>
        <code>{hex}</code>
      </OnExplorer>
      <CopyButton text={hex} what={what} />
    </span>
  );
}
