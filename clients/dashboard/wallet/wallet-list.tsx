import { Button, type ButtonProps } from '../parts/button.tsx';
import { Notice } from '../parts/problem.tsx';
import { useWallets, type Wallet } from './wallets.ts';

type WalletListProps = {
  /** The button's action, such as "Sign in with". */
  readonly action: string;
  readonly onChoose: (wallet: Wallet) => void;
  readonly isPending: boolean;
  /** Whether it is the page's main action. */
  readonly isPrimary?: boolean;
} & Pick<ButtonProps, 'needs'>;

/** A button for each wallet of this browser. */
export function WalletList({ action, onChoose, isPending, isPrimary, needs = [] }: WalletListProps) {
  const wallets = useWallets();
  if (wallets.length === 0) {
    return (
      <Notice>
        <p>No wallet was found in this browser. Install or unlock one as a browser extension, then reload the page.</p>
      </Notice>
    );
  }
  return (
    <ul className="stack">
      {wallets.map((wallet) => (
        <li key={wallet.id}>
          <Button
            needs={needs}
            kind={isPrimary ? 'primary' : 'plain'}
            isDisabled={isPending}
            onPress={() => onChoose(wallet)}
          >
            {wallet.icon === undefined ? null : <img className="wallet-icon" src={wallet.icon} alt="" />}
            {action} {wallet.name}
          </Button>
        </li>
      ))}
    </ul>
  );
}
